// Many programs in one module: how long packing takes, and how many programs a second it lets one worker compile, against
// compiling each alone at full effort. Compiles of all kinds take turns, and the least of some rounds counts. It is the
// CPU time of this process: one worker is busy all the time, and what other processes do is not counted.

import { PtxCompiler } from "@mm-ptx/cuda";
import { expandSites, pack, parsePtx } from "@mm-ptx/inject";
import { medians } from "./lib/measure.mjs";
import { generator } from "./lib/random.mjs";

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

const OPERATIONS = ["add", "sub", "mul", "min", "max"];
const TEMPORARIES = 4;

/** A kernel with a site, where `index` leaves the number of a value in `%r4`. */
const kernel = (index) => `.version 8.0
.target sm_75
.address_size 64

.visible .entry evaluate_expression(
	.param .u64 evaluate_expression_param_0,
	.param .u64 evaluate_expression_param_1
)
{
	.reg .f32 	%f<4>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<8>;

	ld.param.u64 	%rd1, [evaluate_expression_param_0];
	ld.param.u64 	%rd2, [evaluate_expression_param_1];
${index}
	cvta.to.global.u64 	%rd3, %rd1;
	mul.wide.u32 	%rd4, %r4, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f1, [%rd5];
	// begin inline asm
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
	// end inline asm
	cvta.to.global.u64 	%rd6, %rd2;
	add.s64 	%rd7, %rd6, %rd4;
	st.global.f32 	[%rd7], %f2;
	ret;
}
`;
/** About 1 KB. */
const GRID_KERNEL = kernel(`	mov.u32 	%r1, %ctaid.y;
	mov.u32 	%r2, %ntid.x;
	mov.u32 	%r3, %tid.x;
	mad.lo.s32 	%r4, %r1, %r2, %r3;`);
/** Little more than a program. */
const SMALL_KERNEL = kernel("\tmov.u32 \t%r4, %tid.x;");

export async function run() {
  return [...(await packing()), ...(await compiling())];
}

/** A stub of as many instructions, each of which uses what the one before it made. */
function program(seed) {
  const random = generator(seed * 2654435761 + 1);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const written = new Set(["%_x1"]);
  const lines = [];
  let last = "%_x1";
  for (let i = 1; i <= INSTRUCTIONS; i++) {
    const target = i === INSTRUCTIONS ? "%_x0" : `%t${Math.floor(random() * TEMPORARIES)}`;
    const constant = `0f3F${Math.floor(random() * 0xffffff)
      .toString(16)
      .padStart(6, "0")}`;
    const other = random() < 0.5 ? pick([...written]) : constant;
    lines.push(`\t${pick(OPERATIONS)}.ftz.f32 ${target}, ${last}, ${other};`);
    written.add(target);
    last = target;
  }
  return `\t{\n\t.reg .f32 %t<${TEMPORARIES}>;\n${lines.join("\n")}\n\t}`;
}

const programs = (count) => Array.from({ length: count }, (_, seed) => flat(program(seed)));

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
    for (const compiler of Object.values(compilers)) compiler[Symbol.dispose]();
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

/** A string of one piece: texts that were put together would be flattened inside the measurement. */
function flat(text) {
  return Buffer.from(text, "latin1").latin1Slice();
}
