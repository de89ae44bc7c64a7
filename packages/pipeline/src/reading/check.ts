// Checks a reading against the outputs of a launch plan, when the pipeline is made.
import { describeValue, isOneOf, optionProblem, quoted } from "@mm-ptx/types/internal";
import { refuse } from "../check.js";
import type { OutputSlices } from "../launch/plan.js";
import { elementOf } from "./elements.js";
import { ERROR_OPTIONS, type ErrorReading, REDUCTION, type Reading } from "./reading.js";

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
    throw refuse(`expected a reading, such as what \`outputs()\` returns, found ${describeValue(reading)}`);
  const { kind, ...rest } = reading as { readonly kind: Reading["kind"] };
  throwProblem(isOneOf(KINDS)(kind, "kind"));
  // A kernel of the caller's may read buffers of the caller's.
  if (outputs.length === 0 && kind !== "reduction")
    throw refuse("expected a launch plan with an `output` to read, found none");
  if (kind === "reduction")
    throwProblem(optionProblem(rest, REDUCTION, { of: "`reduction`", required: Object.keys(REDUCTION) }));
  else if (kind === "outputHash") checkHash(outputs);
  else if (kind !== "outputs") checkError(reading as ErrorReading, outputs);
}

function checkHash(outputs: readonly OutputSlices[]): void {
  const odd = outputs.findIndex(({ elements }) => ![1, 2, 4, 8].includes(elements.BYTES_PER_ELEMENT));
  if (odd === -1) return;
  const found = `${outputs[odd]!.elements.BYTES_PER_ELEMENT} bytes`;
  throw refuse(`expected elements of 1, 2, 4 or 8 bytes as output ${odd} for \`outputHash\`, found ${found}`);
}

function checkError(reading: ErrorReading, outputs: readonly OutputSlices[]): void {
  const { kind, target, output, format } = reading;
  const name = quoted(kind);
  throwProblem(optionProblem({ output, format }, ERROR_OPTIONS, { of: name, required: ["output"] }));
  const found = outputs[output];
  if (found === undefined) {
    const most = outputs.length - 1;
    const expected =
      most === 0 ? "output 0, the only one of the launch plan," : `an output from 0 to ${most}`;
    throw refuse(`expected ${expected} for ${name}, found ${output}`);
  }
  if (elementOf(found.elements, format) === undefined) {
    const expected = format === undefined ? "numbers" : `a Uint16Array, which contains ${format},`;
    throw refuse(`expected ${expected} as output ${output} for ${name}, found ${found.elements.name}`);
  }
  if (!(target instanceof Float64Array))
    throw refuse(`expected a Float64Array as the target of ${name}, found ${describeValue(target)}`);
  if (target.length !== found.length) {
    const expected = `${found.length} numbers in the target of ${name}, as output ${output} has`;
    throw refuse(`expected ${expected}, found ${target.length}`);
  }
  for (let i = 0; i < target.length; i++) {
    if (Number.isFinite(target[i])) continue;
    throw refuse(`expected finite numbers in the target of ${name}, found ${target[i]} at index ${i}`);
  }
}

function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw refuse(problem);
}
