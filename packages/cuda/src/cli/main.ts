#!/usr/bin/env node
// The program `mm-ptx-cuda`.
import { constants } from "node:os";
import { runCommandLine } from "@mm-ptx/types/cli";
import { failureOf } from "./problems.js";
import { buildProgram } from "./program.js";

// Handlers run between two turns, never while a file is written: nothing is left beside it. Workers end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

const manifest = new URL("../../package.json", import.meta.url);
await runCommandLine({ manifest, build: buildProgram, failureOf }, process.argv.slice(2));
