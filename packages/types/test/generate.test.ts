// The TypeScript modules of a table: the committed ones, and names that clash.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  DescriptionError,
  generateTypeScript,
  generateTypeScriptModules,
  parseStackDescription,
} from "../src/index.js";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

describe("generateTypeScriptModules", () => {
  it("gives the bytes of the committed default modules", () => {
    const table = parseStackDescription(read("type_descriptions/stack_descriptions.json"));
    const modules = generateTypeScriptModules(table, { encoders: "../../encode.js" });
    expect(Object.keys(modules)).toEqual(["index.ts", "ptx.ts", "special.ts"]);
    for (const [name, text] of Object.entries(modules)) {
      expect(text).toBe(read(`packages/stack/src/generated/default/${name}`));
    }
  });
});

describe("generateTypeScript", () => {
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
