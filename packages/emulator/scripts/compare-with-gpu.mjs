// `npm run compare-with-gpu [-- MODULE]` compares the emulator with a GPU, case by case, and writes
// docs/emulator-gpu.md. MODULE exports `open()`, which returns a `Device` of @mm-ptx/types/device; the default is the
// first GPU.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const module = resolve(process.argv[2] ?? resolve(root, "scripts/lib/open-gpu.mjs"));

/** The reason why there is no device to compare with, if any. */
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
