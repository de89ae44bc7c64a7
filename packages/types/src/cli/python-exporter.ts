// `python-exporter`: the script that writes the enumerations of a Python program for mm-ptx as a description.
import { readFileSync } from "node:fs";
import { writeFiles } from "./files.js";
import type { Outcome } from "./framework.js";

const SCRIPT = new URL("../../python/export_stack_description.py", import.meta.url);

/** @param out the file to write; without it the script is printed */
export function pythonExporter(out: string | undefined): Outcome {
  const text = readFileSync(SCRIPT, "utf8");
  if (out === undefined) return { ok: true, json: () => ({ ok: true, text }), text: () => text };
  const changed = writeFiles(new Map([[out, text]])).length > 0;
  return {
    ok: true,
    json: () => ({ ok: true, files: [{ file: out, changed }] }),
    text: (colors) => `${changed ? colors.green("written") : colors.dim("unchanged")} ${out}\n`,
  };
}
