import { expect, it } from "vitest";
import { tooMuch } from "./limits";

const LIMITS = { upload_bytes: 200_000_000, upload_files: 2, request_bytes: 300_000_000 };

it("refuses what is too large before it is sent, and says how large it may be", () => {
  const problem = tooMuch([{ name: "report.pdf", size: 500_000_000 }], LIMITS);
  expect(problem?.code).toBe("too-large");
  expect(problem?.detail).toContain("report.pdf has 500 MB");
  expect(problem?.detail).toContain("200 MB");
});

it("refuses too many files at once, and lets all else through", () => {
  const file = { name: "a.html", size: 10 };
  expect(tooMuch([file, file, file], LIMITS)?.detail).toContain("3 files");
  expect(tooMuch([file, file], LIMITS)).toBeNull();
});
