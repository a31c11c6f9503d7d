// Values of a flow as people read and write them.
import type { Json } from "../../api/flows";

/** A value on one line. */
export function shown(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** Texts from a line of them, parted by commas. */
export function words(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** Texts on a line, parted by commas; one text stands for itself. */
export function joined(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (value && typeof value === "object")
    return Object.entries(value)
      .map(([name, other]) => (name === other ? name : `${name}: ${shown(other)}`))
      .join(", ");
  return shown(value);
}

const SECRET = "secret:";

/** Texts and secrets on a line: `{secret: team}` is written as `secret: team`. */
export function withSecrets(value: Json | undefined): string {
  const one = (part: Json): string =>
    part && typeof part === "object" && !Array.isArray(part) && "secret" in part
      ? `${SECRET} ${shown(part.secret)}`
      : shown(part);
  return Array.isArray(value) ? value.map(one).join(", ") : one(value ?? null);
}

/** Texts and secrets from a line of them; one stands for itself, and none is null. */
export function fromSecrets(text: string, many: boolean): Json {
  const one = (part: string): Json =>
    part.startsWith(SECRET) ? { secret: part.slice(SECRET.length).trim() } : part;
  const parts = (many ? words(text) : [text.trim()].filter(Boolean)).map(one);
  return parts.length === 0 ? null : parts.length === 1 ? parts[0]! : parts;
}

/** Names, and what some of them are called elsewhere: `sku, name: title` keeps `name` from `title`. */
export function names(text: string): Json {
  const parts = words(text);
  if (parts.every((part) => !part.includes(":"))) return parts;
  return Object.fromEntries(
    parts.map((part) => {
      const [name, other] = part.split(":").map((one) => one.trim());
      return [name!, other || name!];
    }),
  );
}

/** The type of a column as people call it. */
export function typeWords(type: string): string {
  if (/^(large_)?(string|utf8)/.test(type)) return "text";
  if (/^(u?int|float|double|half|decimal)/.test(type)) return "number";
  if (type.startsWith("bool")) return "yes or no";
  if (type.startsWith("timestamp")) return "time";
  if (type.startsWith("date")) return "date";
  if (/^(large_)?list/.test(type)) return "list";
  return type.startsWith("struct") ? "record" : type;
}
