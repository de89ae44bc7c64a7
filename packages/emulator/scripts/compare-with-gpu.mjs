// `npm run compare-with-gpu -- MODULE`: the emulator against a GPU, case by case. MODULE exports `open()`, which gives a device
// with the interface `Device` of @mm-ptx/types/core. Writes docs/emulator-gpu.md.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [module] = process.argv.slice(2);
const root = fileURLToPath(new URL("../../../", import.meta.url));

if (module === undefined) {
  console.error("no device: name a module that exports `open()`, which gives a device of a GPU");
  process.exitCode = 2;
} else if (!existsSync(module)) {
  console.error(`no device: expected a module that opens one, found no file \`${module}\``);
  process.exitCode = 2;
} else {
  const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "tests/emulated-hardware.test.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MM_PTX_DEVICE: resolve(module) },
  });
  process.exitCode = status ?? 1;
}
