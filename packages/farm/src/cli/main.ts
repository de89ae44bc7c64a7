#!/usr/bin/env node
// The program `mm-ptx-farm`.
import { runCommandLine } from "./framework.js";
import { failureOf } from "./problems.js";
import { buildProgram } from "./program.js";

const manifest = new URL("../../package.json", import.meta.url);
await runCommandLine({ manifest, build: buildProgram, failureOf }, process.argv.slice(2));
