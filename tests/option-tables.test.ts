// The tables of options in the README of @mm-ptx/cuda have exactly the options that the code has.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codeOptionsTable, withCodeOptions } from "../packages/cuda/scripts/code-options-table.mjs";
import { CODE_FLAGS } from "../packages/cuda/src/cli/code-flags.js";
import { CODE_OPTIONS } from "../packages/cuda/src/ptx/code-options.js";
import { ROOT } from "./support/workspace.js";

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const README = read("packages/cuda/README.md");

/** The names in the first column of the table that begins with a line. */
function namesInTable(head: string): string[] {
  const at = README.indexOf(`\n| ${head} |`);
  expect(at, `expected a table with \`${head}\``).toBeGreaterThan(0);
  const rows = README.slice(at + 1)
    .split("\n\n", 1)[0]!
    .split("\n")
    .slice(2);
  return rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!)).sort();
}

function namesInInterface(file: string, name: string): string[] {
  const text = read(`packages/cuda/src/${file}`);
  const body = new RegExp(`^export interface ${name} (?:extends \\w+ )?\\{\n(.*?)^\\}`, "ms").exec(text)?.[1];
  expect(body, `expected \`${name}\` in ${file}`).toBeDefined();
  return [...body!.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1]!).sort();
}

it("the table of options that change machine code is generated from their rows", () => {
  expect(withCodeOptions(README, codeOptionsTable(CODE_OPTIONS, CODE_FLAGS))).toBe(README);
});

it.each([
  ["option | values | default", "ptx/options.ts", "PtxCompilerOptions"],
  ["option of `compile` | values | default", "cuda/options.ts", "CudaCompileOptions"],
  ["option of `link` | values | default", "link/options.ts", "LinkOptions"],
])("the table `%s` has the options of %s", (head, file, name) => {
  expect(namesInTable(head)).toEqual(namesInInterface(file, name));
});

it.each([
  ["cuda/options.ts", "CudaCompilerOptions", "CudaCompiler"],
  ["link/linker.ts", "LinkerOptions", "Linker"],
])("the README names the options of %s", (file, name, class_) => {
  const named = new RegExp(`new ${class_}\\(\\{ ([\\w, ]+) \\}\\)`).exec(README)?.[1]?.split(", ");
  expect(named?.sort()).toEqual(namesInInterface(file, name));
});
