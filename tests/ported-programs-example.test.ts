// The ported programs of docs/porting-a-program.md, run as a user would run them: on a GPU if there is one,
// otherwise on the emulator.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../scripts/lib/markdown.mjs";
import { ROOT } from "./support/workspace.js";

const EXAMPLE = join(ROOT, "examples/04-ported-programs");
const BLOCKS = codeBlocks(readFileSync(join(EXAMPLE, "README.md"), "utf8"));

describe("its README shows what is printed by", () => {
  it.each(["parallel-compiles", "semiring"])("%s", (program) => {
    const command = BLOCKS.findIndex(({ code }) => code.includes(`dist/${program}.js`));
    const args = [join(EXAMPLE, `dist/${program}.js`)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: BLOCKS[command + 1]!.code, stderr: "" });
  });
});
