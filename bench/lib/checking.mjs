// Measures what an input of `checkAll` costs: a sine of ten instructions against `sin.approx`, and the same polynomial in a loop of
// JavaScript that compares with Math.sin. It prints JSON: nanoseconds of processor time an input, the least of some rounds.
//   node checking.mjs

import { checkAll, endWorkers } from "@mm-ptx/columns";
import { parseStub } from "@mm-ptx/columns/stub";

const FIRST = 0x3c000000;
const COUNT = 2 ** 24;
const LOOPED = 2 ** 22;
const ROUNDS = 3;

const operand = (direction, name) => ({
  ...{ direction, name, register: name, registerType: "f32", type: "F32" },
});
const site = [operand("in", "x"), operand("out", "y")];
const POLYNOMIAL = `
  .reg .f32 %a<9>;
  mul.f32 %a0, %x, %x;
  fma.rn.f32 %a1, %a0, 0f3638EF1D, 0fB9500D01;
  fma.rn.f32 %a2, %a1, %a0, 0f3C088889;
  fma.rn.f32 %a3, %a2, %a0, 0fBE2AAAAB;
  mul.f32 %a4, %a3, %a0;
  fma.rn.f32 %a5, %a4, %x, %x;
  min.f32 %a6, %a5, 0f3F800000;
  max.f32 %a7, %a6, 0fBF800000;
  add.f32 %a8, %a7, 0f00000000;
  mul.f32 %y, %a8, 0f3F800000;`;
const code = parseStub(POLYNOMIAL, site);
const reference = parseStub("sin.approx.f32 %y, %x;", site);

/** Nanoseconds of processor time, of all threads. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

async function check(workers) {
  const start = processorTime();
  const { inputs } = await checkAll(code, reference, { ulp: 4, first: FIRST, count: COUNT, workers });
  return (processorTime() - start) / inputs;
}

/** The same in JavaScript, which rounds each result and compares in ulp; fused operations are rounded twice. */
function loop() {
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  const { fround, min, max, abs, sin } = Math;
  const [c6, c4, c2, c0] = [2.75573137e-6, -1.98412698e-4, 8.3333334e-3, -1.66666672e-1].map(fround);
  let worst = 0;
  const start = processorTime();
  for (let input = 0; input < LOOPED; input++) {
    bits[0] = FIRST + input;
    const x = float[0];
    const z = fround(x * x);
    let p = fround(z * c6 + c4);
    p = fround(p * z + c2);
    p = fround(p * z + c0);
    p = fround(p * z);
    p = max(-1, min(1, fround(p * x + x)));
    p = fround(fround(p + 0) * 1);
    const expected = sin(x);
    float[0] = expected;
    bits[0] &= 0x7f800000;
    worst = max(worst, abs(p - expected) / (float[0] * 2 ** -23));
  }
  return (processorTime() - start) / (worst > 0 ? LOOPED : 0);
}

async function least(run) {
  let time = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) time = Math.min(time, await run());
  return time;
}

const result = {
  one: await least(() => check(1)),
  two: await least(() => check(2)),
  loop: await least(async () => loop()),
};
endWorkers();
console.log(JSON.stringify(result));
