// The example of running kernels, run as a user would run it: on a GPU if there is one, otherwise on the
// emulator.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const EXAMPLE = fileURLToPath(new URL("../examples/03-running-kernels", import.meta.url));

it("prints what its README shows, and the device that it ran on", () => {
  const shown = /^```\n([^`]*)```$/m.exec(readFileSync(join(EXAMPLE, "README.md"), "utf8"))?.[1];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLE, "dist/main.js")], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^on .+ \(sm_\d+a?\)\nboth kernels took [\d.]+ ms\n$/);
  expect({ status, stdout }).toEqual({ status: 0, stdout: shown });
});
