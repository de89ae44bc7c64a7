// A result as a line of JSON.
import type { TypedArray } from "@mm-ptx/types/device";
import type { PipelineResult } from "../results/result.js";
import { PREDICTIONS } from "../store/result.js";

/** The digits of a run's fingerprint in each line. */
export const RUN_DIGITS = 16;

/** How each line begins: the index of the program, and what stands for the kernel, the data and the options. */
export const LINE_START = /^\{"index":(\d{1,16}),"run":"([0-9a-f]{16})",/;

const FIGURES = ["registers", "spills", "codeBytes", "microseconds"] as const;

/**
 * The line of a result, without the line feed. Numbers that JSON does not have are the texts `NaN`, `Infinity` and `-Infinity`, and
 * integers of 64 bits are texts.
 */
export function resultLine(result: PipelineResult, run: string): string {
  const { index, status, error, score, outputs, effort, from } = result;
  let line = `{"index":${index},"run":"${run}","status":${JSON.stringify(status)}`;
  if (error !== undefined) line += `,"error":${JSON.stringify(error)}`;
  if (score !== undefined)
    line += `,"score":${typeof score === "string" ? JSON.stringify(score) : numberText(score)}`;
  for (const name of FIGURES)
    if (result[name] !== undefined) line += `,"${name}":${numberText(result[name])}`;
  for (const name of PREDICTIONS) {
    const value = result[name];
    if (value !== undefined) line += `,"${name}":${value === null ? "null" : numberText(value)}`;
  }
  if (effort !== undefined) line += `,"effort":"${effort}"`;
  if (outputs !== undefined) line += `,"outputs":[${outputs.map(outputText).join(",")}]`;
  return `${line},"from":${JSON.stringify(from)}}`;
}

function outputText(output: TypedArray): string {
  if (output instanceof BigInt64Array || output instanceof BigUint64Array)
    return `[${Array.from(output, (value) => `"${value}"`).join(",")}]`;
  return `[${Array.from(output as Float64Array, numberText).join(",")}]`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? "-0" : `${value}`;
}
