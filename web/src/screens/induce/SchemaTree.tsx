// The schema as a tree with examples from the pages; fields are renamed, left out, merged and split here.
import { useState } from "react";
import type { SchemaNode, WrapperState } from "../../api/types";
import { Button, IconButton, Select, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Menu, type MenuItem } from "../../design/Menu";
import { Fold } from "../../frame/Workbench";
import css from "./induce.module.css";
import type { WrapperEdits } from "./wrapper";

interface SchemaTreeProps {
  state: WrapperState;
  edits: WrapperEdits;
  page: string | null;
}

const WHOLE = "\u0000whole page";

export function SchemaTree({ state, edits, page }: SchemaTreeProps) {
  const [marked, setMarked] = useState<string[]>([]);
  const kept = state.schema.filter((node) => !node.dropped && !node.aside);
  const rest = state.schema.filter((node) => node.dropped || node.aside);
  const mark = (path: string) =>
    setMarked((old) => (old.includes(path) ? old.filter((one) => one !== path) : [...old, path]));
  const merge = async () => {
    if (await edits.send({ action: "merge", fields: marked })) setMarked([]);
  };
  const branch = (node: SchemaNode) => (
    <Branch key={node.path} node={node} level={0} edits={edits} page={page} marked={marked} onMark={mark} />
  );
  return (
    <>
      <div className={css.tools}>
        <span className="quiet">A record is</span>
        <Select
          label="What a record is"
          value={state.records_of ?? WHOLE}
          options={[
            { value: WHOLE, label: "the whole page" },
            ...state.sets.map((name) => ({ value: name, label: `each of “${name}”` })),
          ]}
          onChange={(value) => edits.send({ action: "records", of: value === WHOLE ? null : value })}
        />
        <span style={{ flex: 1 }} />
        {marked.length === 0 && <span className="quiet">tick fields to merge them</span>}
        {marked.length > 0 && (
          <Button
            icon="merge"
            disabled={marked.length < 2}
            title="Whichever of them a page has becomes one field"
            onClick={merge}
          >
            Merge {marked.length}
          </Button>
        )}
      </div>
      <ul className={css.tree}>{kept.map(branch)}</ul>
      {rest.length > 0 && (
        <Fold title={`Left out and set aside (${rest.length})`} open={false}>
          <ul className={css.tree}>{rest.map(branch)}</ul>
        </Fold>
      )}
    </>
  );
}

interface BranchProps {
  node: SchemaNode;
  level: number;
  edits: WrapperEdits;
  page: string | null;
  marked: string[];
  onMark: (path: string) => void;
}

const KINDS: Record<SchemaNode["node"], string> = {
  field: "",
  set: "set of records",
  tuple: "record",
  option: "optional",
  alternatives: "whichever a page has",
};

function Branch({ node, level, edits, page, marked, onMark }: BranchProps) {
  const [open, setOpen] = useState(level < 1);
  const [renaming, setRenaming] = useState(false);
  const example = node.examples.find((one) => one.page === page) ?? node.examples[0];
  const out = node.dropped || node.aside;
  const rename = (to: string) => {
    setRenaming(false);
    if (to.trim() && to.trim() !== node.name)
      edits.send({ action: "rename", field: node.path, to: to.trim() });
  };
  const items: (MenuItem | "line")[] = [
    { label: "Rename", icon: "rename", onSelect: () => setRenaming(true) },
    out
      ? {
          label: "Bring back",
          icon: "undo",
          onSelect: () => edits.send({ action: "restore", field: node.path }),
        }
      : {
          label: "Leave out",
          icon: "trash",
          onSelect: () => edits.send({ action: "drop", field: node.path }),
        },
  ];
  if (node.node === "alternatives")
    items.push({
      label: "Split into its parts",
      icon: "merge",
      onSelect: () => edits.send({ action: "split", field: node.path }),
    });
  return (
    <li>
      <div className={css.node} data-out={out}>
        {node.children.length > 0 ? (
          <IconButton
            icon={open ? "down" : "right"}
            label={open ? `Fold ${node.name}` : `Unfold ${node.name}`}
            onClick={() => setOpen(!open)}
          />
        ) : (
          <input
            type="checkbox"
            aria-label={`Mark ${node.name} to merge it`}
            checked={marked.includes(node.path)}
            disabled={out}
            onChange={() => onMark(node.path)}
          />
        )}
        {renaming ? (
          <TextField
            label={`New name of ${node.name}`}
            autoFocus
            defaultValue={node.name}
            onFocus={(event) => event.target.select()}
            onBlur={(event) => rename(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") rename(event.currentTarget.value);
              else if (event.key === "Escape") setRenaming(false);
              else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        ) : (
          <button
            type="button"
            className={css.name}
            title="Double-click to rename"
            onDoubleClick={() => setRenaming(true)}
          >
            {node.name}
          </button>
        )}
        <span className={css.type}>
          {node.optional && "optional "}
          {node.type?.words ?? KINDS[node.node]}
          {node.type && node.node === "alternatives" && ` · ${KINDS.alternatives}`}
        </span>
        <span className={`${css.example} clip`} title={node.examples.map((one) => one.text).join("\n")}>
          {example?.text}
        </span>
        {node.examples.length > 1 && <Examples node={node} />}
        {out ? (
          <IconButton
            icon="undo"
            label={`Bring back ${node.name}`}
            onClick={() => edits.send({ action: "restore", field: node.path })}
          />
        ) : (
          <Menu label={`More about ${node.name}`} icon="dots" items={items} />
        )}
      </div>
      {open && node.children.length > 0 && (
        <ul className={css.inside}>
          {node.children.map((child) => (
            <Branch
              key={child.path}
              node={child}
              level={level + 1}
              edits={edits}
              page={page}
              marked={marked}
              onMark={onMark}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** What the field holds on every page. */
function Examples({ node }: { node: SchemaNode }) {
  return (
    <Menu
      label={`Examples of ${node.name} from every page`}
      items={node.examples.map((one, place) => ({
        label: `${place + 1}. ${one.text.slice(0, 80)}`,
        onSelect: () => undefined,
      }))}
    >
      <Icon name="eye" size={14} />
    </Menu>
  );
}
