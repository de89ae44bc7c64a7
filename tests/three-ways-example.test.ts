// The example with one program on columns, on the emulator and on a GPU, run as a user would run it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const EXAMPLE = fileURLToPath(new URL("../examples/05-three-ways", import.meta.url));

it("prints what its README shows, and whether there was a GPU", () => {
  const shown = /^```\n([^`]*)```$/m.exec(readFileSync(join(EXAMPLE, "README.md"), "utf8"))?.[1];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLE, "dist/main.js")], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^(there is no GPU for the machine code|and so does .+)\n$/);
  expect({ status, stdout }).toEqual({ status: 0, stdout: shown });
});
