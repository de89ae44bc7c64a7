// Rendering a PTX text of 187 KB with 576 sites (205 KB rendered); inject-parse measures parsing it. Budgets
// are the ratio of the budget table's microseconds to the yardstick's on the machine where the C library was
// measured, so that they hold on any machine.
//
// Rendering is measured into bytes and as a flat string, with the checks of stubs that are on by default. V8
// maps new pages for every string above 128 KB, which takes longer than rendering: on the machine of the
// budget table, a string of 205 KB takes 80 us, whether `latin1Slice`, `TextDecoder` or `repeat` creates it,
// and one of 100 KB takes 5 us. Bytes can therefore be rendered in the 31 us of the C library, but no flat
// string of this length can. The string's yardstick is that V8 creates a string of that length from bytes.

import { parsePtx } from "@mm-ptx/inject";
import { markedPtx } from "./lib/marked-ptx.mjs";
import { medians } from "./lib/measure.mjs";

const SITES = 576;
const CALLS = 10;
const MANY = 2048;
/** Sites that repeat, as in unrolled loops, and sites with distinct names. */
const NAMES = [24, SITES];
const C_RENDER = 31;
const BYTES_BUDGET = 18;
const STRING_BUDGET = 1.3;
const MANY_STRING_BUDGET = 1.5;
const STUB =
  "\t{\n\t.reg .f32 %_s0_<1>;\n\tadd.ftz.f32 %_s0_0, %_x1, 0f3F800000;\n\tmov.f32 %_x1, %_s0_0;\n\t}";
const STUB_LENGTH = 140;

export async function run() {
  const rows = [];
  for (const names of NAMES) rows.push(...(await rowsOf(SITES, names, C_RENDER, STRING_BUDGET)));
  return [...rows, ...(await rowsOf(MANY, MANY, undefined, MANY_STRING_BUDGET))];
}

async function rowsOf(sites, names, reference, stringBudget) {
  const text = flat(markedPtx({ sites, names }));
  const annotated = parsePtx(text);
  const stub = (i) => flat(`${STUB}\n\t// stub ${i}`.padEnd(STUB_LENGTH, "."));
  const stubs = Object.fromEntries(annotated.injections.map(({ name }, i) => [name, stub(i)]));
  const rendered = Buffer.from(annotated.render(stubs), "latin1");
  const bytes = new Uint8Array(rendered.length);
  const what = `${Math.round(text.length / 1000)} KB with ${sites} sites of ${names} names`;
  const out = `${Math.round(rendered.length / 1000)} KB`;

  const [into, unchecked, copy, string, made] = await medians(
    [
      () => annotated.renderInto(stubs, bytes),
      () => annotated.renderInto(stubs, bytes, 0, { check: false }),
      () => bytes.set(rendered),
      () => annotated.render(stubs),
      () => rendered.latin1Slice(),
    ],
    { calls: CALLS },
  );
  return [
    row(`render ${what} into ${out} of bytes (yardstick: copying them)`, into, copy, BYTES_BUDGET, reference),
    row("the same without checks (yardstick: copying them)", unchecked, copy, BYTES_BUDGET, reference),
    row(
      "render it as a flat string (floor and yardstick: V8 mapping one's pages)",
      string,
      made,
      stringBudget,
      reference,
    ),
  ];
}

function row(name, ours, yardstick, budget, reference) {
  const ratio = ours / yardstick;
  return { name, ours, yardstick, ratio, budget, reference, unit: "us", pass: ratio <= budget };
}

/** A flat string, because V8 would flatten a concatenated text during the measurement. */
const flat = (text) => Buffer.from(text, "latin1").latin1Slice();
