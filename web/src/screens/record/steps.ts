// Steps and their places: 3, 3.1, 3.else.1. A place also says where something is put: before the step that is there.
import type { Plain, ScriptStep } from "../../api/recordings";

/** All steps in the order in which they are read, also those inside of others. */
export function flat(steps: ScriptStep[]): ScriptStep[] {
  return steps.flatMap((step) => [step, ...flat(step.steps), ...flat(step.otherwise ?? [])]);
}

const parts = (place: string): [string, string] => {
  const at = place.lastIndexOf(".");
  return at < 0 ? ["", place] : [place.slice(0, at + 1), place.slice(at + 1)];
};

/** The place after a step, in the same block. */
export function after(place: string): string {
  const [block, number] = parts(place);
  return `${block}${Number(number) + 1}`;
}

/** The places of a range of steps in one block, from one to another; only the last where they are in two. */
export function range(from: string, to: string): string[] {
  const [block, first] = parts(from);
  const [other, last] = parts(to);
  if (block !== other) return [to];
  const [low, high] = [Math.min(+first, +last), Math.max(+first, +last)];
  return Array.from({ length: high - low + 1 }, (_, by) => `${block}${low + by}`);
}

/** Where a step goes when it is moved up or down by one; null at the ends of its block. */
export function moved(place: string, by: 1 | -1, count: number): string | null {
  const [block, number] = parts(place);
  const now = Number(number);
  if (by < 0) return now > 1 ? `${block}${now - 1}` : null;
  return now < count ? `${block}${now + 2}` : null;
}

/** The steps beside a step: those of its block. */
export function beside(steps: ScriptStep[], place: string): ScriptStep[] {
  const [block] = parts(place);
  if (!block) return steps;
  const isElse = block.endsWith(".else.");
  const owner = flat(steps).find((step) => step.place === block.slice(0, isElse ? -6 : -1));
  return (isElse ? owner?.otherwise : owner?.steps) ?? [];
}

export const isBlock = (step: ScriptStep) => step.steps.length > 0;

/** A value as it is edited in one line. */
export function asText(value: Plain): string {
  if (Array.isArray(value)) return value.map(asText).join(", ");
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What was typed, as the kind of value that was there before. */
export function fromText(text: string, before: Plain): Plain {
  if (typeof before === "number") return text.trim() === "" ? null : Number(text);
  if (Array.isArray(before))
    return text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => (before.every((one) => typeof one === "number") && before.length ? Number(part) : part));
  return text;
}

export const isSecret = (value: Plain): value is { secret: string } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && "secret" in value;

/** Whether steps only came behind those that were there. */
export function onlyGrew(before: ScriptStep[], now: ScriptStep[]): boolean {
  return before.every((step, place) => now[place]?.words === step.words);
}

/** The changes after which steps in a loop are about each record: a name that is a value of one becomes its field. */
export function perRecord(
  steps: ScriptStep[],
  columns: { name: string; texts: (string | null)[] }[],
): { action: "change"; place: string; key: string; value: Plain }[] {
  const inLoop = steps.filter((step) => steps.some((one) => one.word === "for each" && isInside(step, one)));
  return inLoop.flatMap((step) => {
    const target = step.keys[step.word];
    if (!target || typeof target !== "object" || Array.isArray(target)) return [];
    for (const [kind, name] of Object.entries(target)) {
      if (typeof name !== "string" || kind === "in") continue;
      const column = columns.find((one) => one.texts.some((text) => text?.trim() === name));
      if (!column) continue;
      const { memory: _memory, number: _number, ...rest } = target as Record<string, Plain>;
      return [
        {
          action: "change" as const,
          place: step.place,
          key: step.word,
          value: { ...rest, [kind]: `{${column.name}}` },
        },
      ];
    }
    return [];
  });
}

const isInside = (step: ScriptStep, block: ScriptStep) => step.place.startsWith(`${block.place}.`);
