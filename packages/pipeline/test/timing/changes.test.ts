// What programs compute after they were timed, compared with before.
import { expect, it } from "vitest";
import type { ProgramReadings } from "../../src/running/work.js";
import { changeOf } from "../../src/timing/changes.js";
import { withTime } from "../../src/timing/timed.js";

const readings = (...values: readonly number[]): ProgramReadings => ({
  outputs: [{ data: Float32Array.from(values), step: 4, length: 2 }],
  scores: undefined,
});
const scores = (...values: readonly (number | string)[]): ProgramReadings => ({
  outputs: [],
  scores: values,
});

it("finds the first element of a program that changed, and no others", () => {
  const before = readings(1, 2, 0, 0, 3, Number.NaN, 0, 0);
  expect(changeOf(before, readings(1, 2, 9, 9, 3, Number.NaN, 9, 9), 0)).toBeUndefined();
  const after = readings(1, 2, 0, 0, 3, 4, 0, 0);
  expect(changeOf(before, after, 0)).toBeUndefined();
  expect(changeOf(before, after, 1)).toBe(
    "expected the same machine code to compute the same again after it was timed, found another value in element 1 of output 0",
  );
});

it("compares bits", () => {
  expect(changeOf(readings(0, 0), readings(-0, 0), 0)).toContain("element 0 of output 0");
});

it("compares scores", () => {
  expect(changeOf(scores(1, Number.NaN), scores(2, Number.NaN), 1)).toBeUndefined();
  expect(changeOf(scores(1, 3), scores(2, 3), 0)).toMatch(/found the score 2 instead of 1$/);
});

it("is a status of the result, which keeps everything else", () => {
  const outcome = { status: "ok", score: 3, registers: 8 };
  expect(withTime(outcome, undefined)).toBe(outcome);
  expect(withTime(outcome, { microseconds: 2, isThrottled: false })).toEqual({ ...outcome, microseconds: 2 });
  expect(withTime(outcome, { microseconds: 2, isThrottled: true, change: "another" })).toEqual({
    ...outcome,
    status: "OUTPUT_CHANGED",
    error: { code: "OUTPUT_CHANGED", message: "another" },
    microseconds: 2,
    throttled: true,
  });
});
