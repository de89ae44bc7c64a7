// Steps of a traced thread in a form that people read: the line, the instruction, the values of its registers.
import type { Operand } from "../program/operand.js";
import type { Program } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import type { TraceHook } from "../run/launch.js";
import { linesOf } from "./lines.js";
import { valueText } from "./value.js";

/** An instruction that the traced thread has executed. */
export interface TraceStep {
  /** Of the kernel or device function. */
  readonly function: string;
  /** Counted from 1. */
  readonly line: number;
  /** As written. */
  readonly instruction: string;
  /** Registers among its operands, as they are after it, results first. */
  readonly values: readonly TracedValue[];
}

/** A register and what it holds. */
export interface TracedValue {
  /** As written: `%r1`. */
  readonly register: string;
  readonly type: PtxType;
  readonly bits: bigint;
  /** The bits as a value of the type: `-1`, `0.5`, `0x7f0002000000`. */
  readonly text: string;
}

/** What an engine tells of a step, with its place and its names. */
export function tracedStep(program: Program, step: Parameters<TraceHook["step"]>[0]): TraceStep {
  const { name, instructions, registers } = program.functions[step.function]!;
  const { span, operands, operandTypes } = instructions[step.instruction]!;
  const values = operands.flatMap((operand, i): TracedValue[] => {
    const bits = step.values[i];
    const type = operandTypes[i];
    const register = registerOf(operand);
    if (bits === undefined || type === undefined || register === undefined) return [];
    return [{ register: registers[register]!.name, type, bits, text: valueText(bits, type) }];
  });
  return {
    function: name,
    line: linesOf(program).positionAt(span.start).line,
    instruction: program.text.slice(span.start, span.end),
    values,
  };
}

/** The step on one line: `12  add.f32 %f3, %f1, %f2   %f3=3 %f1=1 %f2=2`. */
export function traceLine({ line, instruction, values }: TraceStep): string {
  const known = values.map(({ register, text }) => `${register}=${text}`).join(" ");
  const written = instruction.replace(/\s+/g, " ");
  return `${`${line}`.padStart(5)}  ${written.padEnd(46)}  ${known}`.trimEnd();
}

function registerOf(operand: Operand): number | undefined {
  if (operand.kind === "register") return operand.register;
  return operand.kind === "address" && operand.base.kind === "register" ? operand.base.register : undefined;
}
