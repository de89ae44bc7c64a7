// Parsing a PTX text of 187 KB with 576 sites, the same sites in the form of mm-ptx 0.x, many names compared
// with few, a large kernel with few sites, and loading a parsed text from bytes; each with and without the objects of `injections`, which
// are created on first use. The text of loaded bytes is also decoded on first use. V8 maps new pages for it,
// which takes longer than parsing, so its yardstick is that V8 creates that string from the bytes. The first
// budget is the ratio of the budget table's microseconds to the yardstick's on the machine where the C
// library was measured, so that it holds on any machine.

import { AnnotatedPtx, parsePtx } from "@mm-ptx/inject";
import { cuteGemmPtx } from "./lib/cuda.mjs";
import { markedPtx } from "./lib/marked-ptx.mjs";
import { medians } from "./lib/measure.mjs";

const SITES = 576;
const CALLS = 10;
/** Sites that repeat, as in unrolled loops, and sites with distinct names. */
const NAMES = [24, SITES];
const C_PARSE = 270;
const PARSE_BUDGET = 2.2;
/** Relative to the same sites in the form of 1.1. */
const LEGACY_BUDGET = 2.4;
const LOAD_BUDGET = 0.1;
/** Relative to parsing alone. */
const LISTED_BUDGETS = { 24: 1.4, 576: 2.5 };
/** Relative to parsing and listing. */
const LOAD_LISTED_BUDGET = 0.7;
/** Besides creating the string, loading verifies the checksum of its bytes, and that they are UTF-8. */
const LOAD_TEXT_BUDGET = 1.8;
const MANY = 16_000;
const FEW = 10;
const MANY_BUDGET = 1.8;
/** 128 sites in 884 KB; a scan for an absent byte takes 7 us. */
const GEMM_BUDGET = 8;

export async function run() {
  const rows = [];
  for (const names of NAMES) rows.push(...(await rowsOf(names)));
  return [...rows, await manyNames(), ...(await largeKernel())];
}

async function rowsOf(names) {
  const text = flat(markedPtx({ sites: SITES, names }));
  const old = flat(markedPtx({ sites: SITES, names, legacy: true }));
  const bytes = parsePtx(text).toBytes();
  const what = `${Math.round(text.length / 1000)} KB with ${SITES} sites of ${names} names`;
  const stored = Buffer.from(text);
  const [parse, newlines, legacy, load, listed, loadListed, loadText, decoded] = await medians(
    [
      () => parsePtx(text),
      () => countNewlines(text),
      () => parsePtx(old),
      () => AnnotatedPtx.fromBytes(bytes),
      () => parsePtx(text).injections,
      () => AnnotatedPtx.fromBytes(bytes).injections,
      () => AnnotatedPtx.fromBytes(bytes).text,
      () => stored.latin1Slice(),
    ],
    { calls: CALLS },
  );
  return [
    row(`parse ${what} (yardstick: counting its lines)`, parse, newlines, PARSE_BUDGET, C_PARSE),
    row("parse the same sites of mm-ptx 0.x (yardstick: those of 1.1)", legacy, parse, LEGACY_BUDGET),
    row("parse it and list its injections (yardstick: parsing)", listed, parse, LISTED_BUDGETS[names]),
    row("load it from bytes (yardstick: parsing)", load, parse, LOAD_BUDGET),
    row(
      "load it and list its injections (yardstick: parsing and listing)",
      loadListed,
      listed,
      LOAD_LISTED_BUDGET,
    ),
    row("load it with its text (yardstick: V8 making the string)", loadText, decoded, LOAD_TEXT_BUDGET),
  ];
}

/** The time per byte of a text in which each site has its own name, compared with a text with few names. */
async function manyNames() {
  const [many, few] = [MANY, FEW].map((names) => flat(markedPtx({ sites: MANY, names })));
  const [ours, yardstick] = await medians([() => parsePtx(many), () => parsePtx(few)], { calls: 1 });
  const name = `parse a KB of ${MANY} sites of as many names (yardstick: of ${FEW} names)`;
  return row(name, ours / (many.length / 1000), yardstick / (few.length / 1000), MANY_BUDGET);
}

/** A kernel whose text is mostly its own. It is skipped without NVRTC and CUTLASS. */
async function largeKernel() {
  const ptx = await cuteGemmPtx();
  if (ptx === undefined) {
    console.error("bench: inject-parse: no CuTe GEMM; to run it: npm run setup -- --with nvrtc,cutlass");
    return [];
  }
  const text = flat(ptx);
  const [ours, yardstick] = await medians([() => parsePtx(text), () => text.indexOf("\u0001")], {
    calls: CALLS,
  });
  const size = Math.round(text.length / 1000);
  const name = `parse a CuTe GEMM, ${size} KB (yardstick: \`indexOf\` of an absent byte)`;
  return [row(name, ours, yardstick, GEMM_BUDGET)];
}

function row(name, ours, yardstick, budget, reference) {
  const ratio = ours / yardstick;
  return { name, ours, yardstick, ratio, budget, reference, unit: "us", pass: ratio <= budget };
}

function countNewlines(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/**
 * A flat string, as if read from a file, because V8 would flatten a concatenated text during the measurement.
 */
const flat = (text) => Buffer.from(text).toString();
