// Real PTX: every `.ptx` file of the repository and the texts of the conformance vectors.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "../../../../scripts/lib/workspace.mjs";

interface Text {
  readonly name: string;
  readonly text: string;
  /** Whether it may be damaged on purpose. */
  readonly isDamaged: boolean;
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

const files: Text[] = listFiles(ROOT, ".", (name) => name.endsWith(".ptx")).map((file) => ({
  name: file,
  text: read(file),
  isDamaged: /\/test\/(ptx\/crashers|ptx\/hints|front\/problems)\//.test(file),
}));

const vectors: Text[] = listFiles(ROOT, "packages", (name) =>
  /\/test\/vectors\/.*\.json$/.test(name),
).flatMap((file) => {
  const { cases } = JSON.parse(read(file)) as { cases: Record<string, unknown>[] };
  return cases.flatMap((one, index) =>
    ["ptx", "rendered"].flatMap((key) => {
      const text = one[key];
      const isModule = typeof text === "string" && text.includes(".version");
      return isModule ? [{ name: `${file} ${index} ${key}`, text, isDamaged: "error" in one }] : [];
    }),
  );
});

/** Sorted by name. */
export const TEXTS: readonly Text[] = [...files, ...vectors];
