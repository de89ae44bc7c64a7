#!/usr/bin/env node
// The program `mm-ptx`.
import { runCommandLine } from "./framework.js";
import { lineOf } from "./program.js";

const manifest = new URL("../../package.json", import.meta.url);
const words = process.argv.slice(2);
await runCommandLine({ manifest, ...lineOf(words) }, words);
