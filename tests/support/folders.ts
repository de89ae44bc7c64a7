// Tests keep cubins and programs in one file in temporary folders, which are removed afterwards.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  for (const [name, variable] of [
    ["cubins", "MM_PTX_CACHE_DIR"],
    ["programs", "MM_PTX_TEST_PROGRAMS"],
  ] as const) {
    process.env[variable] = join(folder, name);
    mkdirSync(join(folder, name));
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
