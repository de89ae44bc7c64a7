// docs/mm-ptx-cuda.md: its sessions print what they show, and its tables list all options.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runSessions } from "../../../../tests/support/sessions.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { CODE_FLAGS } from "../../src/cli/code-flags.js";
import { buildProgram } from "../../src/cli/program.js";
import { findDisassembler } from "../../src/cubin/disassembler.js";
import { IN_PROCESS } from "../support/backends.js";
import { CommandLine } from "../support/command-line.js";

const PATH = "docs/mm-ptx-cuda.md";

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
});
afterEach(() => line.remove());

it.runIf(IN_PROCESS)("its sessions print what they show", () => {
  line.install("bin/mm-ptx-cuda");
  const disassembles = findDisassembler().found?.name === "nvdisasm";
  const { printed, shown } = runSessions(
    PATH,
    line,
    (command) => disassembles || !command.includes("cubin --sass"),
  );
  expect(printed).toBe(shown);
});

it("its tables have every option except those that change machine code, which the README has", () => {
  const document = readFileSync(join(ROOT, PATH), "utf8");
  const options = buildProgram(() => {}).commands.flatMap((command) =>
    command.options
      .filter(({ long }) => !Object.values(CODE_FLAGS).includes(long!))
      .map(({ long }) => [command.name(), long]),
  );
  expect(options.length).toBeGreaterThan(10);
  const sections = document.split(/^(?=\| `\w+)/m);
  const missing = options.filter(([command, long]) => {
    const table = sections.find((section) => section.startsWith(`| \`${command}`));
    return !table?.includes(`\`${long}`);
  });
  expect(missing).toEqual([]);
});
