// Many programs in one module: how long packing takes, and how many programs a second it lets one worker compile, against
// compiling each alone at full effort. Compiles of all kinds take turns, and the least of some rounds counts. It is the
// CPU time of this process: one worker is busy all the time, and what other processes do is not counted.

import { PtxCompiler } from "@mm-ptx/cuda";
import { expandSites, pack, parsePtx } from "@mm-ptx/inject";
import { medians } from "./lib/measure.mjs";
import { GRID_KERNEL, programStub, SMALL_KERNEL } from "./lib/site-kernels.mjs";

const ARCH = "sm_80";
const ROUNDS = 9;
const INSTRUCTIONS = 20;
/** Packed programs, and alternatives at full effort. */
const VARIANTS = 100;
/** Drafted alternatives. */
const ALTERNATIVES = 200;
/** Compiled alone in each round. */
const ALONE = 10;
/**
 * How many times as many programs a second. In C 11 and 25 were measured for alternatives; a pack of kernels saves the fixed
 * cost of a module, while each kernel's own stays.
 */
const BUDGETS = { packed: 4, alternatives: 8, drafted: 20 };
/** 100 us over what V8 takes for a string of that length where the budget was set. */
const PACK_BUDGET = 20;

export async function run() {
  return [...(await packing()), ...(await compiling())];
}

const programs = (count) => Array.from({ length: count }, (_, seed) => programStub(seed, INSTRUCTIONS));

async function packing() {
  const annotated = parsePtx(GRID_KERNEL);
  // What is measured is packing, not copying long stubs.
  const stub = "\tadd.ftz.f32 %_x0, %_x1, 0f3F800000;";
  const stubsets = Array.from({ length: VARIANTS }, () => ({ func: stub }));
  const bytes = Buffer.from(pack(annotated, stubsets).text, "latin1");
  const [warm, cold, made] = await medians(
    [() => pack(annotated, stubsets), () => pack(parsePtx(GRID_KERNEL), stubsets), () => bytes.latin1Slice()],
    { calls: 10 },
  );
  const what = `pack ${VARIANTS} variants of a ${(GRID_KERNEL.length / 1000).toFixed(1)} KB kernel`;
  return [
    {
      name: `${what} (yardstick: V8 making a string of ${Math.round(bytes.length / 1000)} KB)`,
      ours: warm,
      yardstick: made,
      ratio: warm / made,
      budget: PACK_BUDGET,
      unit: "us",
      pass: warm / made <= PACK_BUDGET,
    },
    {
      name: `${what}, parsed and taken apart for the first time (yardstick: the above)`,
      ours: cold,
      yardstick: warm,
      ratio: cold / warm,
      unit: "us",
    },
  ];
}

async function compiling() {
  const annotated = parsePtx(SMALL_KERNEL);
  const stubs = programs(ALTERNATIVES);
  const alternatives = (count) => {
    const named = stubs.slice(0, count).map((stub, i) => [`func_${i}`, stub]);
    return expandSites(annotated, "func", count, { select: "%ctaid.x" }).render(Object.fromEntries(named));
  };
  const alone = stubs.slice(0, ALONE).map((func) => annotated.render({ func }));
  const packed = pack(
    annotated,
    stubs.slice(0, VARIANTS).map((func) => ({ func })),
  );
  const jobs = [
    { name: "alone", effort: "final", texts: alone, programs: ALONE },
    { name: "packed", effort: "final", texts: [packed.text], programs: VARIANTS },
    { name: "alternatives", effort: "final", texts: [alternatives(VARIANTS)], programs: VARIANTS },
    { name: "drafted", effort: "draft", texts: [alternatives(ALTERNATIVES)], programs: ALTERNATIVES },
  ];
  const compilers = Object.fromEntries(
    ["final", "draft"].map((effort) => [
      effort,
      new PtxCompiler({ arch: ARCH, effort, workers: 1, backend: "in-process", cache: false }),
    ]),
  );
  const least = {};
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, effort, texts, programs } of jobs) {
        const before = process.cpuUsage();
        for (const ptx of texts) await compilers[effort].compile(ptx);
        const { user, system } = process.cpuUsage(before);
        const each = (user + system) / 1000 / programs;
        least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, each);
      }
    }
  } finally {
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
  const row = (name, what) => {
    const ratio = least.alone / least[name];
    return {
      name: `${what}, a program of ${INSTRUCTIONS} instructions (yardstick: alone at full effort; as many times as many a second)`,
      ours: least[name],
      yardstick: least.alone,
      ratio,
      budget: BUDGETS[name],
      unit: "ms",
      pass: ratio >= BUDGETS[name],
    };
  };
  return [
    row("packed", `compile ${VARIANTS} kernels of a pack`),
    row("alternatives", `compile ${VARIANTS} alternatives of a site`),
    row("drafted", `draft ${ALTERNATIVES} alternatives of a site`),
  ];
}
