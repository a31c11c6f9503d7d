import { afterEach, expect, it, vi } from "vitest";
import { ApiError, api, path } from "./client";

afterEach(() => vi.unstubAllGlobals());

const answering = (status: number, body: unknown, type = "application/json") =>
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } })),
  );

it("escapes every part of a path", () => {
  expect(path`/wrappers/${"a/b?c"}/edits`).toBe("/wrappers/a%2Fb%3Fc/edits");
});

it("sends the version that an edit was made from", async () => {
  answering(200, { ok: true });
  await api("/lessons/x/steps", { body: { action: "undo" }, version: "3f2a" });
  const [, init] = vi.mocked(fetch).mock.calls[0]!;
  expect(init).toMatchObject({ method: "POST", headers: { "If-Match": '"3f2a"' } });
});

it("turns a problem into an error that says its sentence", async () => {
  const problem = {
    type: "urn:sightline:conflict",
    title: "Conflict",
    status: 412,
    code: "conflict",
    detail: "Changed meanwhile.",
  };
  answering(412, problem, "application/problem+json");
  const failed = await api("/pages").catch((reason: unknown) => reason);
  expect(failed).toBeInstanceOf(ApiError);
  expect((failed as ApiError).message).toBe("Changed meanwhile.");
  expect((failed as ApiError).code).toBe("conflict");
});

it("says what to do when the server is gone", async () => {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => {
      throw new TypeError("failed");
    }),
  );
  const failed = await api("/pages").catch((reason: unknown) => reason);
  expect((failed as ApiError).code).toBe("connection");
  expect((failed as ApiError).message).toContain("sightline studio");
});
