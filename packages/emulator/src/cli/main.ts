#!/usr/bin/env node
// The program `mm-ptx-emulate`.
import { runCommandLine } from "./framework.js";
import { failureOf } from "./problems.js";
import { buildProgram } from "./program.js";

const manifest = new URL("../../package.json", import.meta.url);
const words = process.argv.slice(2);
await runCommandLine({ manifest, build: buildProgram, failureOf }, words.length === 0 ? ["--help"] : words);
