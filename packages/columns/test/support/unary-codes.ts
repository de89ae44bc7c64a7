// Stubs with one input and one output, as codes.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { parseStub, type SiteOperand } from "../../src/stub/index.js";

const operand = (direction: "in" | "out", name: string, type: string): SiteOperand => ({
  ...{ direction, name, register: name, registerType: type, type: type.toUpperCase() },
});

/** The code of a stub that computes `%y` from `%x`. */
export const unaryCode = (text: string, input = "f32", output = input): CodeBuffer =>
  parseStub(text, [operand("in", "x", input), operand("out", "y", output)]);

/** An f32 as PTX writes it. */
export const hex = (bits: number): string => `0f${bits.toString(16).padStart(8, "0")}`;
