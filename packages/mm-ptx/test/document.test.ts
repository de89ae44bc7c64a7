// docs/mm-ptx.md: its sessions print what they show, and it names all commands and packages.
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { runSessions } from "../../../tests/support/sessions.js";
import { ROOT } from "../../../tests/support/workspace.js";
import { describeAll } from "../src/cli/described.js";
import { PACKAGE_COMMANDS } from "../src/cli/packages.js";
import { buildProgram } from "../src/cli/program.js";
import { MAIN } from "./support/installation.js";

const PATH = "docs/mm-ptx.md";
const document = readFileSync(join(ROOT, PATH), "utf8");

let folder: ProgramFolder;
beforeAll(() => {
  folder = new ProgramFolder(MAIN);
  folder.write("bin/mm-ptx", `#!/bin/sh\nexec '${process.execPath}' '${folder.main}' "$@"\n`);
  chmodSync(folder.path("bin/mm-ptx"), 0o755);
});
afterAll(() => folder.remove());

it("its sessions print what they show", () => {
  const { printed, shown } = runSessions(PATH, folder);
  expect(printed).toBe(shown);
}, 180_000);

it("names all commands, and the options of its own", async () => {
  const { program } = await describeAll(buildProgram);
  for (const { name } of program.commands) expect(document).toMatch(new RegExp(`^${name}\\b`, "m"));
  const own = program.commands.filter(({ name }) =>
    PACKAGE_COMMANDS.every((command) => name !== `mm-ptx ${command.name}`),
  );
  for (const { options } of own)
    for (const { flags } of options) expect(document).toContain(`\`${flags.at(-1)}\``);
});

it("says what each command of a package is by itself", () => {
  for (const { name, package: from, subcommand } of PACKAGE_COMMANDS) {
    const row = document.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``));
    expect(row).toContain(`\`${from.name}\``);
    expect(row).toContain(`\`${from.program}${subcommand === undefined ? "`" : ""}`);
  }
});
