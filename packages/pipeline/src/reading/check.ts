// Checks a reading against the outputs of a launch plan, when the pipeline is made.
import { describeValue, isOneOf, optionProblem, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import type { OutputSlices } from "../launch/plan.js";
import { elementOf } from "./elements.js";
import { type ErrorReading, REDUCTION, type Reading } from "./reading.js";

const KINDS: readonly Reading["kind"][] = [
  "outputs",
  "squaredError",
  "absoluteError",
  "maximumError",
  "outputHash",
  "reduction",
];

/**
 * Checks that a reading is one, and that it fits the outputs of the launch plan.
 *
 * @throws PipelineError INVALID_ARGUMENT for anything that is not a reading, for an output that the plan does not have, and for a target
 * of another length than the output or with numbers that are not finite
 */
export function checkReading(reading: unknown, outputs: readonly OutputSlices[]): asserts reading is Reading {
  if (Object.prototype.toString.call(reading) !== "[object Object]")
    throw invalid(`expected a reading, such as what \`outputs()\` returns, found ${describeValue(reading)}`);
  const { kind, ...rest } = reading as { readonly kind: unknown };
  const problem = isOneOf(KINDS)(kind, "kind");
  if (problem !== undefined) throw invalid(`the reading's ${problem}`);
  if (outputs.length === 0) throw invalid(`expected a launch plan with an \`output\` to read, found none`);
  if (kind === "reduction") {
    const wrong = optionProblem(rest, REDUCTION, { of: "`reduction`", required: Object.keys(REDUCTION) });
    if (wrong !== undefined) throw invalid(wrong);
  } else if (kind !== "outputs" && kind !== "outputHash") checkError(reading as ErrorReading, outputs);
}

function checkError({ kind, target, output, format }: ErrorReading, outputs: readonly OutputSlices[]): void {
  const name = quoted(kind);
  const found = outputs[output];
  if (found === undefined) {
    const most = outputs.length - 1;
    const expected =
      most === 0 ? "output 0, the only one of the launch plan," : `an output from 0 to ${most}`;
    throw invalid(`expected ${expected} for ${name}, found ${describeValue(output)}`);
  }
  if (elementOf(found.elements, format) === undefined) {
    const expected = format === undefined ? "numbers" : `a Uint16Array, which contains ${format},`;
    throw invalid(`expected ${expected} as output ${output} for ${name}, found ${found.elements.name}`);
  }
  if (!(target instanceof Float64Array))
    throw invalid(`expected a Float64Array as the target of ${name}, found ${describeValue(target)}`);
  if (target.length !== found.length)
    throw invalid(
      `expected ${found.length} numbers in the target of ${name}, as output ${output} has, found ${target.length}`,
    );
  const at = target.findIndex((value) => !Number.isFinite(value));
  if (at !== -1)
    throw invalid(`expected finite numbers in the target of ${name}, found ${target[at]} at index ${at}`);
}

const invalid = (message: string): PipelineError => new PipelineError("INVALID_ARGUMENT", message);
