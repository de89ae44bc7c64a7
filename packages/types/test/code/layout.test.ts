// What TypeScript and AssemblyScript share of the format says the same as the tables.
import { expect, it } from "vitest";
import { CodeName, CodeType } from "../../src/code/layout.js";
import { CODE_NAMES, CODE_TYPES, codeType } from "../../src/code/operation.js";

it("types have the numbers of their names", () => {
  const names = CODE_TYPES.slice(1);
  expect(names.map((name) => CodeType[name as keyof typeof CodeType])).toEqual(names.map(codeType));
});

it("inputs and constants have the numbers of their names", () => {
  expect([CODE_NAMES[CodeName.input], CODE_NAMES[CodeName.constant]]).toEqual(["input", "constant"]);
});
