#!/usr/bin/env node
// The program `mm-ptx-types`.
import { MmPtxError } from "../core/error.js";
import type { Colors } from "./framework.js";
import { type Failure, runCommandLine } from "./framework.js";
import { errorJson, errorText } from "./problems.js";
import { buildProgram } from "./program.js";

/**
 * Reports what the functions of this package refuse. An INVALID_ARGUMENT cannot come from a file, so it is an error of
 * the command line.
 */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof MmPtxError)) return undefined;
  const code = error.code === "INVALID_ARGUMENT" ? 2 : 1;
  return { code, json: errorJson(error), text: (colors: Colors) => errorText(error, colors) };
}

const manifest = new URL("../../package.json", import.meta.url);
await runCommandLine({ manifest, build: buildProgram, failureOf }, process.argv.slice(2));
