import type { About, Problem } from "../../api/types";

/** Why the files would be refused, said before they are sent. */
export function tooMuch(
  files: readonly Pick<File, "name" | "size">[],
  limits: About["limits"],
): Problem | null {
  const large = files.find((file) => file.size > limits.upload_bytes);
  const detail = large
    ? `${large.name} has ${megabytes(large.size)}, and a file may have ${megabytes(limits.upload_bytes)}; open a part of it.`
    : files.length > limits.upload_files
      ? `${files.length} files are more than the ${limits.upload_files} that can be opened at once; choose fewer.`
      : null;
  if (!detail) return null;
  return { type: "urn:sightline:too-large", title: "Too large", status: 413, code: "too-large", detail };
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
