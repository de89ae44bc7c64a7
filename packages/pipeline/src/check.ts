// Errors about arguments.
import { describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "./error.js";

export const invalid = (expected: string, found: unknown): PipelineError =>
  refuse(`expected ${expected}, found ${describeValue(found)}`);

export const refuse = (message: string): PipelineError => new PipelineError("INVALID_ARGUMENT", message);
