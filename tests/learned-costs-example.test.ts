// The example that learns costs, run as a user would run it.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const EXAMPLE = fileURLToPath(new URL("../examples/08-learned-costs", import.meta.url));

it("prints what its README shows", () => {
  const shown = /^```\n([^`]*)```$/m.exec(readFileSync(join(EXAMPLE, "README.md"), "utf8"))?.[1];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLE, "dist/main.js")], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: shown, stderr: "" });
});
