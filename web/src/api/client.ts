// One place for every request: errors become `ApiError`, whose message is the sentence that people read.
import type { Problem } from "./types";

export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }
}

const LOST: Problem = {
  type: "urn:sightline:connection",
  title: "No connection",
  status: 0,
  code: "connection",
  detail: "The Studio's server does not answer. Start `sightline studio` again, then retry.",
};

const RESTARTED: Problem = {
  type: "urn:sightline:unauthorised",
  title: "Started again",
  status: 401,
  code: "unauthorised",
  detail: "The Studio was started again. Open the address that it printed; everything you did is there.",
};

interface Options {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  form?: FormData;
  /** A file as it is. */
  file?: Blob;
  version?: string;
  signal?: AbortSignal;
}

export async function api<T>(path: string, options: Options = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (options.version) headers["If-Match"] = `"${options.version}"`;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = {
    method: options.method ?? (options.body !== undefined || options.form || options.file ? "POST" : "GET"),
    headers,
    credentials: "same-origin",
  };
  if (options.signal) init.signal = options.signal;
  if (options.form) init.body = options.form;
  else if (options.file) init.body = options.file;
  else if (options.body !== undefined) init.body = JSON.stringify(options.body);
  const answer = await fetch(`/api${path}`, init).catch((problem: unknown) => {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    throw new ApiError(LOST);
  });
  if (answer.status === 204) return undefined as T;
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const body: unknown = isJson ? await answer.json() : await answer.text();
  if (answer.status === 401) throw new ApiError(RESTARTED);
  if (!answer.ok) throw new ApiError(asProblem(body, answer));
  return body as T;
}

function asProblem(body: unknown, answer: Response): Problem {
  if (typeof body === "object" && body !== null && "detail" in body) return body as Problem;
  const detail = `The server answered ${answer.status} ${answer.statusText}. Reload the page, then try again.`;
  return { type: "about:blank", title: answer.statusText, status: answer.status, code: "unknown", detail };
}

/** A path with every part escaped: ids and names come from pages and people. */
export function path(strings: TemplateStringsArray, ...parts: (string | number)[]): string {
  return strings.reduce(
    (whole, text, i) => whole + text + (i < parts.length ? encodeURIComponent(parts[i]!) : ""),
    "",
  );
}
