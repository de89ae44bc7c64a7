// A result as the store keeps it, and as the text of a line.
import type { TypedArray } from "@mm-ptx/types/device";
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { ELEMENTS } from "../launch/elements.js";
import type { PredictedFigures, ProgramOutcome } from "../results/result.js";

/** What is kept of a program's result. */
export interface StoredResult extends Omit<ProgramOutcome, "error"> {
  readonly error?: StoredError;
}

/** What went wrong in a program. */
export interface StoredError {
  readonly code: string;
  readonly message: string;
  /** Where: plain data that JSON can represent. */
  readonly place?: unknown;
}

const EFFORTS: readonly unknown[] = ["draft", "balanced", "final"];
const NUMBERS = ["registers", "spills", "codeBytes", "siteBytes", "microseconds"] as const;
/** These may be `null`. */
export const PREDICTIONS = [
  ...["predictedRegisters", "predictedSpills", "predictedCodeBytes"],
  ...["predictedSiteBytes", "predictedMicroseconds"],
] as readonly (keyof PredictedFigures)[];

/** The properties of a result as JSON, without braces. @throws TypeError for what a line can't hold */
export function resultText(result: StoredResult): string {
  const { status, error, outputs, score, effort } = result;
  if (typeof status !== "string") throw wrong("`status` of a result as a string", status);
  let text = status === "ok" ? '"status":"ok"' : `"status":${JSON.stringify(status)}`;
  if (effort !== undefined) {
    if (!EFFORTS.includes(effort))
      throw wrong("`effort` of a result as `draft`, `balanced` or `final`", effort);
    text += `,"effort":"${effort}"`;
  }
  if (typeof score === "string") text += `,"score":${JSON.stringify(score)}`;
  else if (score !== undefined) text += `,"score":${numberText(score, "score")}`;
  for (const name of NUMBERS) {
    const value = result[name];
    if (value !== undefined) text += `,"${name}":${numberText(value, name)}`;
  }
  for (const name of PREDICTIONS) {
    const value = result[name];
    if (value !== undefined) text += `,"${name}":${value === null ? "null" : numberText(value, name)}`;
  }
  if (result.throttled === true) text += ',"throttled":true';
  if (error !== undefined) text += `,"error":${errorText(error)}`;
  if (outputs !== undefined) text += `,"outputs":[${outputs.map(outputText).join(",")}]`;
  return text;
}

/** A number as JSON; those that JSON doesn't have are objects, because a score may be any text. */
function numberText(value: number, name: string): string {
  if (typeof value !== "number") throw wrong(`\`${name}\` of a result as a number`, value);
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : `${value}`;
  return `{"number":"${value}"}`;
}

function errorText({ code, message, place }: StoredError): string {
  try {
    return JSON.stringify({ code, message, place });
  } catch (error) {
    const text = `expected \`error\` of a result as JSON can represent it: ${describeError(error)}`;
    throw new TypeError(text, { cause: error });
  }
}

function outputText(output: TypedArray): string {
  const type: unknown = ArrayBuffer.isView(output) ? output[Symbol.toStringTag] : undefined;
  if (typeof type !== "string" || !Object.hasOwn(ELEMENTS, type)) {
    const expected = `each of \`outputs\` of a result as one of ${Object.keys(ELEMENTS).join(", ")}`;
    throw wrong(expected, output);
  }
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  return `{"type":"${type}","data":"${bytes.toString("base64")}"}`;
}

const wrong = (expected: string, found: unknown): TypeError =>
  new TypeError(`expected ${expected}, found ${describeValue(found)}`);

/** The result of a line's JSON, or `undefined` if it isn't one. */
export function readResult(text: string): StoredResult | undefined {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof line.status !== "string") return undefined;
  const result: Record<string, unknown> = { status: line.status };
  if (EFFORTS.includes(line.effort)) result.effort = line.effort;
  if (typeof line.score === "string") result.score = line.score;
  else if (line.score !== undefined) result.score = readNumber(line.score);
  for (const name of NUMBERS) if (line[name] !== undefined) result[name] = readNumber(line[name]);
  for (const name of PREDICTIONS) {
    const value = line[name];
    if (value !== undefined) result[name] = value === null ? null : readNumber(value);
  }
  if (line.throttled === true) result.throttled = true;
  if (line.error !== undefined) result.error = line.error;
  if (line.outputs !== undefined) {
    const outputs = readOutputs(line.outputs);
    if (outputs === undefined) return undefined;
    result.outputs = outputs;
  }
  return result as unknown as StoredResult;
}

function readNumber(value: unknown): number {
  return typeof value === "number" ? value : Number((value as { number?: unknown } | null)?.number);
}

function readOutputs(value: unknown): TypedArray[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const outputs = value.map(readOutput);
  return outputs.includes(undefined) ? undefined : (outputs as TypedArray[]);
}

function readOutput(value: { type?: unknown; data?: unknown } | null): TypedArray | undefined {
  const { type, data } = value ?? {};
  if (typeof type !== "string" || typeof data !== "string") return undefined;
  const elements = Object.hasOwn(ELEMENTS, type) ? ELEMENTS[type] : undefined;
  const bytes = Buffer.byteLength(data, "base64");
  if (elements === undefined || bytes % elements.BYTES_PER_ELEMENT !== 0) return undefined;
  const output = new elements(bytes / elements.BYTES_PER_ELEMENT);
  Buffer.from(output.buffer, 0, bytes).write(data, "base64");
  return output;
}
