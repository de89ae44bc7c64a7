// Steps of a traced thread in readable form: the line, the instruction and the values of its registers.
import type { SourceFrame } from "@mm-ptx/ptx";
import { invalid } from "../device/check.js";
import { registersOf } from "../program/operand.js";
import type { Program } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { ExecutedStep } from "../run/launch.js";
import { sourceFrames } from "../source/frames.js";
import { fileName } from "../source/words.js";
import { linesOf } from "./lines.js";
import { valueText } from "./value.js";

/** An instruction that the traced thread has executed. */
export interface TraceStep {
  /** The name of the kernel or device function. */
  readonly function: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The instruction, as written. */
  readonly instruction: string;
  /** Where it was written in CUDA, innermost inlined function first; empty without `-lineinfo`. */
  readonly frames: readonly SourceFrame[];
  /** The registers of the instruction with their values after it: results first, its predicate last. */
  readonly values: readonly TracedValue[];
}

/** A register and its value. */
export interface TracedValue {
  /** The register's name, such as `%r1`. */
  readonly register: string;
  readonly type: PtxType;
  readonly bits: bigint;
  /** The bits formatted as a value of the type: `-1`, `0.5`, `0x7f0002000000`. */
  readonly text: string;
}

/** Columns for a place such as `kernel.cu:12`. */
const PLACE = 16;

/** Adds line and register names to a step reported by an engine. */
export function tracedStep(program: Program, step: ExecutedStep): TraceStep {
  const { name, instructions, registers } = program.functions[step.function]!;
  const { span, operands, operation, guard } = instructions[step.instruction]!;
  const types = new Map<number, PtxType>();
  const note = (register: number, type: PtxType | undefined) => {
    if (!types.has(register)) types.set(register, type ?? registers[register]!.type);
  };
  for (const [i, operand] of operands.entries()) {
    // An address has the type of its register, not that of the memory it points to.
    const type = operand.kind === "address" ? undefined : operation.operandTypes[i];
    for (const register of registersOf(operand)) note(register, type);
  }
  if (guard !== undefined) note(guard.register, "pred");
  return {
    function: name,
    line: linesOf(program).positionAt(span.start).line,
    instruction: program.text.slice(span.start, span.end),
    frames: sourceFrames(program, step.function, step.instruction),
    values: [...types].map(([register, type]) => {
      const bits = BigInt.asUintN(TYPES[type].bits, step.read(register));
      return { register: registers[register]!.name, type, bits, text: valueText(bits, type) };
    }),
  };
}

/**
 * Formats a step as one line: `12  add.f32 %f3, %f1, %f2   %f3=3 %f1=1 %f2=2`.
 *
 * @throws EmulatorError INVALID_ARGUMENT
 */
export function traceLine(step: TraceStep): string {
  if (typeof step?.instruction !== "string" || !Array.isArray(step.values)) {
    throw invalid("a step of a trace", step);
  }
  const { line, instruction, values, frames } = step;
  const known = values.map(({ register, text }) => `${register}=${text}`).join(" ");
  const written = instruction.replace(/\s+/g, " ");
  const [frame] = frames ?? [];
  const place = frame === undefined ? "" : `${`${fileName(frame.file)}:${frame.line}`.padEnd(PLACE)}  `;
  return `${`${line}`.padStart(5)}  ${place}${written.padEnd(46)}  ${known}`.trimEnd();
}
