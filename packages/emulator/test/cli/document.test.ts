// docs/mm-ptx-emulate.md and docs/mm-ptx-emulate-run.md: sessions print what they show, and the tables list all options.
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { runSessions } from "../../../../tests/support/sessions.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { buildProgram } from "../../src/cli/program.js";
import { buildRun } from "../../src/cli/run-command.js";

const MAIN = "packages/emulator/dist/cli/main.js";
const PATH = "docs/mm-ptx-emulate.md";

let folder: ProgramFolder;
beforeAll(() => {
  folder = new ProgramFolder(MAIN);
  folder.write("bin/mm-ptx-emulate", `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, MAIN)}' "$@"\n`);
  chmodSync(folder.path("bin/mm-ptx-emulate"), 0o755);
});
afterAll(() => folder.remove());

it("its sessions print what they show", () => {
  const timeless = (text: string) => text.replace(/[\d.]+ ms\)/g, "… ms)");
  const { printed, shown } = runSessions(PATH, folder);
  expect(timeless(printed)).toBe(timeless(shown));
});

it.each([
  [PATH, buildProgram],
  ["docs/mm-ptx-emulate-run.md", buildRun],
] as const)("the tables of %s have every option", (path, build) => {
  const document = readFileSync(join(ROOT, path), "utf8");
  const { options } = build(() => {});
  expect(options.length).toBeGreaterThan(5);
  const missing = options.filter(({ long }) => !document.includes(`\`${long}`));
  expect(missing.map(({ long }) => long)).toEqual([]);
});
