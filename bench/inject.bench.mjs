// Parsing and rendering a PTX of 187 KB with 576 sites (205 KB rendered). Budgets are the microseconds of the budget
// table over the yardstick's on the machine where the C library was measured, so that they hold on any machine.
//
// Rendering is measured into bytes and as a flat string. V8 maps fresh pages for every string above 128 KB, which takes
// longer than rendering, so the string's yardstick is that V8 makes a string of that length from bytes.

import { parsePtx } from "@mm-ptx/inject";
import { markedPtx } from "./lib/marked-ptx.mjs";

const SITES = 576;
/** Sites that repeat, as in unrolled loops, and sites that are all different. */
const NAMES = [24, SITES];
const C_PARSE = 270;
const C_RENDER = 31;
const PARSE_BUDGET = 2.2;
const BYTES_BUDGET = 18;
const STRING_BUDGET = 1.3;
const STUB =
  "\t{\n\t.reg .f32 %_s0_<1>;\n\tadd.ftz.f32 %_s0_0, %_x1, 0f3F800000;\n\tmov.f32 %_x1, %_s0_0;\n\t}";
const STUB_LENGTH = 140;

export async function run() {
  return NAMES.flatMap((names) => {
    const text = flat(markedPtx({ sites: SITES, names }));
    const annotated = parsePtx(text);
    const stub = (i) => flat(`${STUB}\n\t// stub ${i}`.padEnd(STUB_LENGTH, "."));
    const stubs = Object.fromEntries(annotated.injections.map(({ name }, i) => [name, stub(i)]));
    const rendered = Buffer.from(annotated.render(stubs), "latin1");
    const bytes = new Uint8Array(rendered.length);
    const what = `${Math.round(text.length / 1000)} KB with ${SITES} sites of ${names} names`;
    const out = `${Math.round(rendered.length / 1000)} KB`;

    const [parse, newlines] = interleaved(
      () => parsePtx(text),
      () => countNewlines(text),
    );
    const [into, copy] = interleaved(
      () => annotated.renderInto(stubs, bytes),
      () => bytes.set(rendered),
    );
    const [string, made] = interleaved(
      () => annotated.render(stubs),
      () => rendered.latin1Slice(),
    );
    return [
      row(`parse ${what} (yardstick: counting its lines)`, parse, newlines, PARSE_BUDGET, C_PARSE),
      row(`render it into ${out} of bytes (yardstick: copying them)`, into, copy, BYTES_BUDGET, C_RENDER),
      row(`render it as a flat string (yardstick: V8 making one)`, string, made, STRING_BUDGET, C_RENDER),
    ];
  });
}

function row(name, ours, yardstick, budget, reference) {
  const ratio = ours / yardstick;
  return { name, ours, yardstick, ratio, budget, reference, unit: "us", pass: ratio <= budget };
}

/** Median microseconds a call of two functions that take turns. */
function interleaved(...functions) {
  const CALLS = 40;
  const ROUNDS = 25;
  const times = functions.map(() => []);
  for (let round = -10; round < ROUNDS; round++) {
    functions.forEach((run, i) => {
      const start = performance.now();
      for (let call = 0; call < CALLS; call++) run();
      if (round >= 0) times[i].push(((performance.now() - start) * 1000) / CALLS);
    });
  }
  return times.map((list) => list.sort((a, b) => a - b)[ROUNDS >> 1]);
}

function countNewlines(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A string of one piece: texts that were put together would be flattened inside the measurement. */
const flat = (text) => Buffer.from(text, "latin1").latin1Slice();
