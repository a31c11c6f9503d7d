// The two records of a pair, field by field, with what they share and where they differ marked; never by colour alone.
import type { Reason, ReviewField, ReviewPair } from "../../api/reviews";
import { Kbd } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { fieldRows, percent, pieces } from "./marked";
import css from "./match.module.css";

interface PairViewProps {
  pair: ReviewPair;
  candidates: ReviewPair[];
  onLook: (id: string) => void;
}

export function PairView({ pair, candidates, onLook }: PairViewProps) {
  const rows = fieldRows(pair);
  return (
    <article className={css.pair} aria-label="The pair" data-pair={pair.id}>
      <table className={css.fields}>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden-text">Field</span>
            </th>
            <th scope="col">Record</th>
            <th scope="col">
              Catalogue <span className={css.own}>{pair.right.id}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.name} data-first={at === 0}>
              <th scope="row">{row.name}</th>
              <td>
                <Marked field={row.left} />
                {row.name === pair.price?.field && <PriceWords price={pair.price} />}
              </td>
              <td>
                <Marked field={row.right} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.legend}>
        <span>
          <mark data-kind="shared code">A1</mark> shared model number
        </span>
        <span>
          <mark data-kind="shared word">word</mark> shared
        </span>
        <span>
          <mark data-kind="other number">2</mark> differs
        </span>
      </p>
      <section className={css.why} aria-label="Why">
        <div className={css.chance}>
          <strong>{percent(pair.score)}</strong>
          <meter min={0} max={1} value={pair.score} aria-label="The chance that they are the same" />
          <span className="quiet">
            chance that they are the same{pair.skipped ? " · skipped before" : ""}
          </span>
        </div>
        <Reasons title="Speaks for it" reasons={pair.why.filter((one) => one.speaks === "for")} />
        <Reasons title="Speaks against it" reasons={pair.why.filter((one) => one.speaks === "against")} />
      </section>
      {candidates.length > 1 && (
        <section className={css.others} aria-label="Candidates">
          <h2>
            {candidates.length} candidates <Kbd>j</Kbd> <Kbd>k</Kbd>
          </h2>
          <ul>
            {candidates.map((one) => (
              <li key={one.id}>
                <button type="button" aria-pressed={one.id === pair.id} onClick={() => onLook(one.id)}>
                  <span className={css.score}>{percent(one.score)}</span>
                  <span className="clip">{one.right.text}</span>
                  <span className={css.own}>{one.right.id}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Marked({ field }: { field: ReviewField | null }) {
  if (!field) return <span className={css.none}>not there</span>;
  return (
    <>
      {pieces(field.text, field.marks).map((piece, at) =>
        piece.kind ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <mark key={at} data-kind={piece.kind} title={TITLES[piece.kind]}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

const TITLES = {
  "shared code": "a model number that both have",
  "other code": "the other has another model number",
  "shared word": "both have it",
  "shared number": "both have it",
  "other number": "the other has another number",
  "other unit": "the other has another unit",
} as const;

const FAR = 1.5; // times as much: from here on, a price rather speaks against a pair

function PriceWords({ price }: { price: NonNullable<ReviewPair["price"]> }) {
  const isFar = price.ratio >= FAR || price.ratio <= 1 / FAR;
  return (
    <span className={css.price} data-far={isFar}>
      {isFar && "≠ "}
      {price.words}
    </span>
  );
}

function Reasons({ title, reasons }: { title: string; reasons: Reason[] }) {
  return (
    <div className={css.reasons}>
      <h3>{title}</h3>
      {reasons.length === 0 && <p className="quiet">nothing of weight</p>}
      <ul>
        {reasons.map((reason) => (
          <li key={reason.words} data-speaks={reason.speaks}>
            <Icon name={reason.speaks === "for" ? "plus" : "minus"} />
            <span>
              {reason.words}
              {reason.detail && <span className={css.detail}>{reason.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
