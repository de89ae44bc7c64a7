// docs/mm-ptx-search.md: its sessions print what they show, and its tables list all commands and options.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runSessions } from "../../../../tests/support/sessions.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { buildProgram } from "../../src/cli/program.js";
import { SearchFolder } from "./folder.js";

const PATH = "docs/mm-ptx-search.md";
const document = readFileSync(join(ROOT, PATH), "utf8");

let folder: SearchFolder;
beforeEach(() => {
  folder = new SearchFolder();
});
afterEach(() => folder.remove());

it("its sessions print what they show", () => {
  folder.install("bin/mm-ptx-search");
  const { printed, shown } = runSessions(PATH, folder);
  expect(printed).toBe(shown);
});

it("it has every command and every option", () => {
  const { commands } = buildProgram(() => {});
  expect(commands.length).toBeGreaterThan(7);
  const names = commands.map((command) => `mm-ptx-search ${command.name()} `);
  const options = commands.flatMap(({ options }) => options.map(({ long }) => `\`${long}`));
  expect(
    [...names, ...options].filter(
      (words) => !document.includes(words) && !document.includes(words.replace("`", " ")),
    ),
  ).toEqual([]);
});
