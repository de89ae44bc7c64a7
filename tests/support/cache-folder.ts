// Tests keep cubins in a temporary folder, which is removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-cache-"));
  process.env.MM_PTX_CACHE_DIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
