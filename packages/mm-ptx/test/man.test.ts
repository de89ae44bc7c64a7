// `man`: a page for each command, which man can show, with everything that its help has.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { ROOT, readManifest } from "../../../tests/support/workspace.js";
import { describeAll, withSubcommands } from "../src/cli/described.js";
import { buildProgram } from "../src/cli/program.js";
import { Installation, MAIN } from "./support/installation.js";

let program: ProgramFolder;
beforeAll(() => {
  program = new ProgramFolder(MAIN);
});
afterAll(() => program.remove());

it("writes a page for each command, and changes none that is the same", async () => {
  const first = await program.run(["man", "man"]);
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  const { program: described } = await describeAll(buildProgram);
  const names = withSubcommands(described).map(({ name }) => `${name.replaceAll(" ", "-")}.1`);
  expect(readdirSync(program.path("man/man1")).sort()).toEqual(names.toSorted());
  expect(first.stdout).toBe(names.map((name) => `written man/man1/${name}\n`).join(""));
  const again = await program.run(["man", "man"]);
  expect(again.stdout).toBe(first.stdout.replaceAll("written", "unchanged"));
});

it("the package has the pages, which npm installs", async () => {
  const { man, files } = readManifest("packages/mm-ptx");
  const { program: described } = await describeAll(buildProgram);
  const names = withSubcommands(described).map(({ name }) => `${name.replaceAll(" ", "-")}.1`);
  expect(man).toEqual(names.map((name) => `./dist/man/man1/${name}`).sort());
  expect(files).toContain("dist");
  for (const page of readdirSync(program.path("man/man1"))) {
    const built = join(ROOT, "packages/mm-ptx/dist/man/man1", page);
    expect(readFileSync(built, "utf8")).toBe(program.read(`man/man1/${page}`));
  }
});

it("pages have every argument, option and command", async () => {
  const { program: described } = await describeAll(buildProgram);
  for (const { name, options, arguments: given, commands } of withSubcommands(described)) {
    const page = program.read(`man/man1/${name.replaceAll(" ", "-")}.1`).replaceAll("\\-", "-");
    for (const { term } of [...options, ...given]) expect(page).toContain(`\n.B ${term}\n`);
    for (const command of commands) expect(page).toContain(`\n.B ${command.name.split(" ").at(-1)}\n`);
    expect(page).not.toMatch(/`(ptxinject|mm-ptx-)/);
  }
});

it.skipIf(findOnPath(["man"], process.env) === undefined)("man shows them without a warning", () => {
  for (const page of readdirSync(program.path("man/man1"))) {
    const { status, stdout, stderr } = spawnSync(
      "man",
      ["--warnings=w", "-l", program.path(`man/man1/${page}`)],
      {
        encoding: "utf8",
        env: { ...process.env, MANWIDTH: "200", LC_ALL: "C.UTF-8", MANPAGER: "cat" },
      },
    );
    expect({ page, status, stderr }).toEqual({ page, status: 0, stderr: "" });
    expect(stdout).toContain("SYNOPSIS");
  }
});

it("without packages, says which commands have no page", async () => {
  const installed = new Installation();
  try {
    const { code, stdout, stderr } = await installed.run("man", "man");
    expect(code).toBe(0);
    expect(stderr).toContain("left out mm-ptx compile: `npm i @mm-ptx/cuda` installs it\n");
    expect(stdout).toContain("written man/man1/mm-ptx-types-check.1\n");
    expect(stdout).not.toContain("compile");
  } finally {
    installed.remove();
  }
});

it("reports a folder that cannot be written", async () => {
  program.write("file", "");
  const { code, stderr } = await program.run(["man", "file"]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "error: expected a file to write, found `file/man1/mm-ptx.1`: a part of its path is not a folder\n",
  });
});
