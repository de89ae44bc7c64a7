// `npm run compare-with-gpu [-- MODULE]`: the emulator against a GPU, case by case. MODULE exports `open()`, which gives a device
// with the interface `Device` of @mm-ptx/types/core; the first GPU by default. Writes docs/emulator-gpu.md.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const module = resolve(process.argv[2] ?? resolve(root, "scripts/lib/open-gpu.mjs"));

/** Why there is nothing to compare with. */
async function problem() {
  try {
    const { open } = await import(pathToFileURL(module).href);
    (await open()).dispose();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const why = await problem();
if (why !== undefined) {
  console.error(`no device: ${why}`);
  process.exitCode = 2;
} else {
  const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "tests/emulated-hardware.test.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MM_PTX_DEVICE: module },
  });
  process.exitCode = status ?? 1;
}
