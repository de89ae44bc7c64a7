// Errors of packages about options, which a user of the command line knows as flags.

import { MmPtxError } from "@mm-ptx/types/core";
import { expect, it } from "vitest";
import { failureOf, optionProblemOf } from "../src/problems.js";

class SomeError extends MmPtxError<string> {}

it("options are named as flags, and end a command with 2", () => {
  const error = new SomeError(
    "INVALID_ARGUMENT",
    "option `memoryLimitBytes`: expected a whole number, found `-1`",
  );
  expect(failureOf(optionProblemOf(error))).toMatchObject({
    code: 2,
    json: {
      code: "INVALID_ARGUMENT",
      message: "option `--memory-limit-bytes`: expected a whole number, found `-1`",
    },
  });
  expect(failureOf(error)).toMatchObject({ code: 1 });
});

it("other errors stay as they are", () => {
  const others = [new SomeError("CRASHED", "option `arch`: none"), new Error("option `arch`: none")];
  expect(others.map(optionProblemOf)).toEqual(others);
});
