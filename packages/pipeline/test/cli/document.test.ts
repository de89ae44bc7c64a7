// docs/mm-ptx-pipeline.md: its sessions print what they show, and its tables list all options and fields.
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runSessions } from "../../../../tests/support/sessions.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { FIELDS } from "../../src/cli/config-file.js";
import { buildProgram } from "../../src/cli/program.js";
import { PipelineFolder } from "./folder.js";

const PATH = "docs/mm-ptx-pipeline.md";
const document = readFileSync(join(ROOT, PATH), "utf8");

let folder: PipelineFolder;
beforeEach(() => {
  folder = new PipelineFolder();
  // Modules that change between two commands are read again in a process of their own.
  folder.write("bin/mm-ptx-pipeline", `#!/bin/sh\nexec '${process.execPath}' '${folder.main}' "$@"\n`);
  chmodSync(folder.path("bin/mm-ptx-pipeline"), 0o755);
});
afterEach(() => folder.remove());

it("its sessions print what they show", () => {
  const { printed, shown } = runSessions(PATH, folder);
  expect(printed).toBe(shown);
});

it("its tables have every option and every field", () => {
  const options = buildProgram(() => {}).commands.flatMap(({ options }) => options.map(({ long }) => long));
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter((long) => !document.includes(`\`${long}`))).toEqual([]);
  const table = /## The configuration\n\n[^|]*\n\n([\s\S]*?)\n\n/.exec(document)![1]!;
  const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) => names!.split(", "));
  expect(rows.map((name) => name.replaceAll("`", "")).sort()).toEqual(Object.keys(FIELDS).sort());
});
