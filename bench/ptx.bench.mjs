// Reading PTX: only tokens, the structure of a module, and the meaning of its names. The yardstick is a loop
// that looks at each character once, so ratios hold on any machine. On a machine where it runs at 1 GB/s, the
// budgets require 125 MB/s for tokens and 80 MB/s for a module's structure.

import { readFileSync } from "node:fs";
import { readModule, Tokens } from "@mm-ptx/ptx";
import { straightLineKernel } from "./lib/kernels.mjs";
import { markedPtx } from "./lib/marked-ptx.mjs";
import { medians } from "./lib/measure.mjs";

const KERNEL = new URL("../tests/kernels/semiring/macro.ptx", import.meta.url);
const TOKENS_BUDGET = 8;
const MODULE_BUDGET = 12;
const NAMES_BUDGET = 30;

export async function run() {
  const texts = {
    "nvcc's PTX": readFileSync(KERNEL, "latin1"),
    "PTX with 576 sites": markedPtx({ sites: 576, names: 24 }),
    "straight-line PTX": straightLineKernel(1, 6_000),
  };
  const rows = [];
  for (const [name, text] of Object.entries(texts)) rows.push(...(await rowsOf(name, flat(text))));
  return rows;
}

async function rowsOf(name, text) {
  const scratch = new Tokens();
  const [tokens, module, names, loop] = await medians(
    [
      () => scratch.read(text),
      () => readModule(text),
      () => readModule(text).names,
      () => sumOfCharacters(text),
    ],
    { calls: 1 },
  );
  const row = (what, ours, budget) => {
    const ratio = ours / loop;
    const rate = Math.round(text.length / ours);
    return {
      name: `${what} of ${Math.round(text.length / 1000)} KB of ${name}, ${rate} MB/s (yardstick: a loop over its characters)`,
      ours,
      yardstick: loop,
      ratio,
      budget,
      reference: undefined,
      unit: "us",
      pass: ratio <= budget,
    };
  };
  return [
    row("tokens", tokens, TOKENS_BUDGET),
    row("structure", module, MODULE_BUDGET),
    row("names too", names, NAMES_BUDGET),
  ];
}

function sumOfCharacters(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
}

/** A flat string, because V8 would flatten a concatenated text during the measurement. */
const flat = (text) => Buffer.from(text, "latin1").latin1Slice();
