// The TypeScript module of a table: the committed one, and names that clash.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DescriptionError, generateTypeScript, parseStackDescription } from "../src/index.js";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

describe("generateTypeScript", () => {
  it("gives the bytes of the committed default module", () => {
    const table = parseStackDescription(read("type_descriptions/stack_descriptions.json"));
    expect(generateTypeScript(table, { encoders: "../encode.js" })).toBe(
      read("packages/stack/src/generated/default.ts"),
    );
  });

  it("refuses names that become one identifier", () => {
    const table = parseStackDescription({
      abi_version: 1,
      stack_types: [{ name: "F32", literal_prefix: "f32" }],
      arg_types: [{ name: "F32", stack_type: "F32" }],
      instructions: [
        { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] },
        { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"], name: "add_f32" },
      ],
      special_registers: [],
    });
    expect(() => generateTypeScript(table)).toThrow(DescriptionError);
    expect(() => generateTypeScript(table)).toThrow("found `addF32` for `add_f32` and for instructions[0]");
  });
});
