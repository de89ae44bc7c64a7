#!/usr/bin/env node
// The program `mm-ptx-types`.
import { MmPtxError } from "../core/error.js";
import { errorJson, errorText } from "./problems.js";
import { buildProgram } from "./program.js";
import { type Failure, runCommandLine } from "./run.js";
import type { Colors } from "./terminal.js";

/** What the functions of this package refuse; an argument that is no file's fault is one of the command line's. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof MmPtxError)) return undefined;
  const code = error.code === "INVALID_VALUE" ? 2 : 1;
  return { code, json: errorJson(error), text: (colors: Colors) => errorText(error, colors) };
}

const manifest = new URL("../../package.json", import.meta.url);
await runCommandLine({ manifest, build: buildProgram, failureOf }, process.argv.slice(2));
