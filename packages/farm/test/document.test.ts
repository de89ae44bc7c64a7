// docs/mm-ptx-farm.md: its sessions print what they show, and its tables list all commands and options; docs/farm-operations.md has
// every figure of `status`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { runSessions } from "../../../tests/support/sessions.js";
import { ROOT } from "../../../tests/support/workspace.js";
import { buildProgram } from "../src/cli/program.js";
import { TITLES } from "../src/cli/status.js";

const PATH = "docs/mm-ptx-farm.md";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

it("its sessions print what they show", () => {
  const folder = new ProgramFolder("packages/farm/dist/cli/main.js");
  folder.install("bin/mm-ptx-farm");
  const { printed, shown } = runSessions(PATH, folder);
  folder.remove();
  expect(printed).toBe(shown);
});

it("it has every command, and a row for every option", () => {
  const document = read(PATH);
  const tables = document.split(/^(?=\| `\w+[^|]*\| \|)/m);
  const missing = buildProgram(() => {}).commands.flatMap((command) => {
    const name = command.name();
    if (!document.includes(`mm-ptx-farm ${name} `)) return [name];
    const table = tables.find((text) => new RegExp(`^\\| [^|]*\`${name}\\b`).test(text));
    return command.options
      .filter(({ long }) => !table?.includes(`\`${long}`))
      .map(({ long }) => `${name} ${long}`);
  });
  expect(missing).toEqual([]);
});

it("every figure of `status` is explained", () => {
  const document = read("docs/farm-operations.md");
  const figures = document.slice(document.indexOf("## Figures"));
  const missing = TITLES.filter((title) => !figures.includes(`\`${title}\``));
  expect(missing).toEqual([]);
});
