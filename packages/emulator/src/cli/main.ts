#!/usr/bin/env node
// The program `mm-ptx-emulate`.
import { runCommandLine } from "./framework.js";
import { failureOf } from "./problems.js";
import { buildProgram } from "./program.js";

const manifest = new URL("../../package.json", import.meta.url);
const [first, ...rest] = process.argv.slice(2);
if (first === "run") {
  const { buildRun, separated } = await import("./run.js");
  await runCommandLine({ manifest, build: buildRun, failureOf }, separated(rest));
} else {
  await runCommandLine({ manifest, build: buildProgram, failureOf }, process.argv.slice(2));
}
