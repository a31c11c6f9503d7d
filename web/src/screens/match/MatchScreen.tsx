// Match: the reviews of the project, or the one that is open.
import { Link, useLocation } from "wouter";
import { type ReviewInfo, useReviews } from "../../api/reviews";
import { Busy, Button, Complaint } from "../../design/controls";
import { Icon } from "../../design/Icon";
import screens from "../screens.module.css";
import css from "./match.module.css";
import { ReviewScreen } from "./ReviewScreen";

export default function MatchScreen({ flow, step }: { flow: string | null; step: string | null }) {
  if (flow && step) return <ReviewScreen flow={flow} step={step} />;
  return <ReviewList flow={flow} />;
}

function ReviewList({ flow }: { flow: string | null }) {
  const [, go] = useLocation();
  const reviews = useReviews();
  if (reviews.isPending) return <Busy>Looking for pairs to review …</Busy>;
  const shown = reviews.data?.filter((review) => flow === null || review.flow === flow) ?? [];
  return (
    <div className={css.list}>
      <h1>Which records are the same?</h1>
      <p className="quiet">
        Matching leaves the doubtful pairs to you. Every answer is kept, used by the next run, and changes the
        chances of the others at once.
      </p>
      {reviews.error && <Complaint>{reviews.error.message}</Complaint>}
      <ul className={css.rows}>
        {shown.map((review) => (
          <li key={`${review.flow}/${review.step}`}>
            <ReviewLink review={review} />
          </li>
        ))}
      </ul>
      {!reviews.error && shown.length === 0 && (
        <div className={screens.empty}>
          <p>
            There is nothing to review. Pairs come from flows that have a step <code>match</code>; run one.
          </p>
          <div className={screens.actions}>
            <Button look="primary" icon="flow" onClick={() => go("/flows")}>
              Open a flow
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

function ReviewLink({ review }: { review: ReviewInfo }) {
  const address = `/match/${encodeURIComponent(review.flow)}/${encodeURIComponent(review.step)}`;
  return (
    <Link href={address} className={css.rowLink}>
      <Icon name="match" />
      <strong className="clip">
        {review.flow} · {review.step}
      </strong>
      <progress
        value={review.decided}
        max={Math.max(review.pairs, 1)}
        aria-label={`${review.decided} of ${review.pairs} decided`}
      />
      <span>{review.waiting === 0 ? "all decided" : `${review.waiting.toLocaleString("en")} to decide`}</span>
    </Link>
  );
}
