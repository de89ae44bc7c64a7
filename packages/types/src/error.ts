// The error of this package: a description file that is not one, with every problem of it.
import { MmPtxError } from "./core/error.js";

/** SYNTAX: no JSON. SCHEMA: not of the file's shape. REFERENCE: names that clash or do not exist. */
export type DescriptionErrorCode = "REFERENCE" | "SCHEMA" | "SYNTAX";

/** One thing that is wrong in a description file. */
export interface DescriptionProblem {
  /** Where in the file, as `instructions[3].args[0]`; empty for the file itself. */
  readonly path: string;
  readonly message: string;
}

export class DescriptionError extends MmPtxError<DescriptionErrorCode> {
  /** All that is wrong, in the order of the file. */
  readonly problems: readonly DescriptionProblem[];

  constructor(code: DescriptionErrorCode, what: string, problems: readonly DescriptionProblem[]) {
    const lines = problems.map(({ path, message }) => `  ${path === "" ? "" : `${path}: `}${message}`);
    super(
      code,
      `${what} has ${problems.length} problem${problems.length === 1 ? "" : "s"}\n${lines.join("\n")}`,
    );
    this.problems = problems;
  }
}
