// The names of a table at run time are those of its generated module.
import { describe, expect, it } from "vitest";
import * as standard from "../src/generated/default/index.js";
import { namesOf, StackPtxError } from "../src/index.js";
import { SMALL_TABLE } from "./support/small-table.js";

describe("namesOf", () => {
  it("has the names and values of the generated module", () => {
    const { stacks, ptx, special } = namesOf(standard.table);
    expect(stacks).toEqual(standard.stacks);
    expect(ptx).toEqual({ ...standard.ptx });
    expect(special).toEqual({ ...standard.special });
  });

  it("keeps names that objects have already", () => {
    const [entry] = SMALL_TABLE.instructions;
    const instructions = ["__proto__", "constructor", "9 lives"].map((name) => ({ ...entry!, name }));
    const { ptx } = namesOf({ ...SMALL_TABLE, instructions });
    expect(Object.keys(ptx)).toEqual(["proto", "constructor", "_9Lives"]);
    const stackTypes = [{ name: "__proto__", literalPrefix: "f32" }];
    expect(Object.entries(namesOf({ ...SMALL_TABLE, stackTypes }).stacks)).toEqual([["__proto__", 0]]);
  });

  it("refuses names that become the same identifier, and what is no table", () => {
    const [entry] = SMALL_TABLE.instructions;
    const instructions = ["add.f32", "add f32"].map((name) => ({ ...entry!, name }));
    expect(() => namesOf({ ...SMALL_TABLE, instructions })).toThrow(
      "expected names that give different identifiers, found `add.f32` and `add f32`, both `addF32`",
    );
    expect(() => namesOf(undefined as never)).toThrow(StackPtxError);
  });
});
