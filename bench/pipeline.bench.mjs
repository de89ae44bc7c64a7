// Programs in, results out: what a program costs when it is packed with others automatically, compared with one module for each program,
// with a C loop over the same packs, and with modules of many sites. Run it alone on the machine.

import { readFileSync } from "node:fs";
import { PtxCompiler, u32 } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { input, KernelPipeline, output, stackSite, textSite } from "@mm-ptx/pipeline";
import { StackCompiler, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import {
  interleaved,
  mainThreadMicroseconds,
  medianOf,
  timeAll,
  uncached,
  withBareLoop,
} from "./lib/compiling.mjs";
import { manySites } from "./lib/many-sites.mjs";
import { median } from "./lib/measure.mjs";
import { programStub, SMALL_KERNEL } from "./lib/site-kernels.mjs";
import { expressions } from "./lib/stack-programs.mjs";

const KERNEL = parsePtx(readFileSync(new URL("../apps/quickstart/kernel.ptx", import.meta.url), "utf8"));
const PROGRAMS = 2000;
const LINES = 30;
const ELEMENTS = 1024;
/** Programs that are run or compiled alone in each round. */
const ALONE = 60;
const ROUNDS = 5;
/** 0.35 ms for 1.79 ms alone, measured where the budget was set. */
const EMULATOR_BUDGET = 5.1;
/** The architecture of the figures that the budgets of drafts come from, and a later one, whose instructions take twice as long to encode. */
const ARCHES = ["sm_80", "sm_90"];
const DRAFT_BUDGET = 20;
const LOOP_BUDGET = 0.85;
/** Microseconds of the main thread for a program, without compiling, launching and running. */
const OVERHEAD_BUDGET = 10;
const OVERHEAD_PROGRAMS = 20_000;
/** Modules of 16 kernels with 128 sites and programs of 32 instructions. */
const WORKLOAD = { kernels: 16, sites: 128, instructions: 32, budget: 4.5 };

/** Random programs: sums, products and the like, or also divisions, roots and functions. */
const VOCABULARIES = {
  arithmetic: { site: textSite(), programs: (count) => stubs(count, LINES) },
  "arithmetic and functions": { site: stackSite(table), programs: (count) => expressions(LINES, count) },
};

export async function run() {
  const rows = [];
  for (const [name, vocabulary] of Object.entries(VOCABULARIES)) rows.push(await emulated(name, vocabulary));
  for (const arch of ARCHES) {
    for (const [name, vocabulary] of Object.entries(VOCABULARIES))
      rows.push(...(await drafted(name, vocabulary, arch)));
  }
  rows.push(await overhead());
  for (const form of ["series", "chain", "branches"]) rows.push(await workload(form));
  return rows;
}

/** Stubs that read the first operand and write the result, whatever the registers of the kernel are called. */
function stubs(count, instructions) {
  const { operands } = KERNEL.injection("func");
  const register = (direction) => operands.find((operand) => operand.direction === direction).register;
  const [read, written] = [register("in"), register("out")];
  return Array.from({ length: count }, (_, seed) =>
    programStub(seed, instructions)
      .replaceAll("%_x1", "%IN")
      .replaceAll("%_x0", `%${written}`)
      .replaceAll("%IN", `%${read}`),
  );
}

function inputs() {
  return [1, 2, 3].map((seed) => Float32Array.from({ length: ELEMENTS }, (_, i) => Math.sin(seed * i) * 4));
}

async function consume(results) {
  let count = 0;
  for await (const { status, error } of results) {
    if (status !== "ok") throw new Error(error.message);
    count++;
  }
  return count;
}

/** The stub of each program, made beforehand. */
function stubsOf(programs) {
  if (typeof programs[0] === "string") return programs;
  const compiler = new StackCompiler(table);
  const job = siteJob(table, KERNEL.injection("func").operands);
  return programs.map((program) => compiler.compile(program, job));
}

/** Two workers against one program after another on one device. */
async function emulated(name, { site, programs }) {
  const data = inputs();
  const all = programs(PROGRAMS);
  const few = stubsOf(all.slice(0, ALONE));
  const device = EmulatedDevice.open({ workers: 2 });
  const alone = EmulatedDevice.open();
  const buffers = data.map(() => alone.allocateFloat32(ELEMENTS));
  for (const [i, buffer] of buffers.entries()) await buffer.copyFrom(data[i]);
  const z = alone.allocateFloat32(ELEMENTS);
  const pipeline = new KernelPipeline({
    kernel: KERNEL,
    sites: { func: site },
    device,
    dedupe: false,
    launch: () => ({
      grid: ELEMENTS / 128,
      block: 128,
      args: [...data.map((column) => input(column)), output(Float32Array, ELEMENTS), u32(ELEMENTS)],
    }),
  });
  try {
    const takers = {
      packed: () => timed(() => consume(pipeline.run(all)), PROGRAMS),
      alone: () =>
        timed(async () => {
          for (const func of few) {
            const module = alone.load(KERNEL.fill({ func }));
            const kernel = module.kernel("evaluate");
            alone.stream.launch(kernel, { grid: ELEMENTS / 128, block: 128 }, [...buffers, z, u32(ELEMENTS)]);
            await z.read();
            module.dispose();
          }
        }, ALONE),
    };
    for (const taker of Object.values(takers)) await taker();
    const samples = await interleaved(takers, ROUNDS);
    const ratio = medianOf(samples, (sample) => sample.alone / sample.packed);
    return {
      name: `${PROGRAMS} programs of ${LINES} lines (${name}) on the emulator, ${ELEMENTS} elements, two workers (yardstick: one by one; ratio: speed-up)`,
      ours: medianOf(samples, ({ packed }) => packed),
      yardstick: medianOf(samples, (sample) => sample.alone),
      ratio,
      budget: EMULATOR_BUDGET,
      unit: "ms",
      pass: ratio >= EMULATOR_BUDGET,
    };
  } finally {
    pipeline.dispose();
    device.dispose();
    alone.dispose();
  }
}

/** Milliseconds for each of some programs. */
async function timed(work, programs) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / programs;
}

/** One worker on a thread of this process, whose CPU time is measured, and two workers. */
async function drafted(name, { site, programs }, arch) {
  const all = programs(PROGRAMS);
  const few = stubsOf(all.slice(0, ALONE)).map((func) => KERNEL.render({ func }));
  const one = { arch, workers: 1, backend: "in-process" };
  const compilers = {
    final: uncached({ ...one, effort: "final" }),
    draft: uncached({ ...one, effort: "draft" }),
    two: uncached({ arch, workers: 2, effort: "draft" }),
  };
  const pipelineOf = (compiler, pack) =>
    new KernelPipeline({ kernel: KERNEL, sites: { func: site }, compiler, dedupe: false, pack });
  const automatic = pipelineOf(compilers.draft, "auto");
  await consume(automatic.run(all));
  const { kind, size } = automatic.plan;
  const fixed = pipelineOf(compilers.draft, { kind, size });
  const parallel = pipelineOf(compilers.two, { kind, size });
  const packs = await texts(all, site, { kind, size }, arch);
  try {
    return await withBareLoop(
      packs,
      async (bareLoop) => {
        const samples = await interleaved(
          {
            alone: async () => (await timeAll(compilers.final, few)) / ALONE,
            packed: () => timed(() => consume(fixed.run(all)), PROGRAMS),
            loop: () => bareLoop(1, packs.length, { BARE_LOOP_DRAFT: "1" }) / PROGRAMS,
            two: () => timed(() => consume(parallel.run(all)), PROGRAMS),
          },
          ROUNDS,
        );
        const figure = (taker) => medianOf(samples, (sample) => sample[taker]);
        const quotient = (over, under) => medianOf(samples, (sample) => sample[over] / sample[under]);
        const what = `draft ${PROGRAMS} programs of ${LINES} lines (${name}) for ${arch} in packs of ${size}, one worker`;
        return [
          row(
            `${what} (yardstick: alone at full effort; ratio: speed-up)`,
            "packed",
            "alone",
            arch === ARCHES[0] ? DRAFT_BUDGET : undefined,
          ),
          row(`${what} (yardstick: a C loop over the same packs)`, "packed", "loop", LOOP_BUDGET),
          {
            name: `${what.replace("one worker", "two workers")} (yardstick: one worker)`,
            ours: 1000 / figure("two"),
            yardstick: 1000 / figure("packed"),
            ratio: quotient("packed", "two"),
            unit: "programs/s",
          },
        ];

        function row(title, ours, yardstick, budget) {
          const ratio = quotient(yardstick, ours);
          return {
            name: title,
            ours: figure(ours),
            yardstick: figure(yardstick),
            ratio,
            budget,
            unit: "ms",
            pass: budget === undefined ? undefined : ratio >= budget,
          };
        }
      },
      arch,
    );
  } finally {
    for (const pipeline of [automatic, fixed, parallel]) pipeline.dispose();
    for (const compiler of Object.values(compilers)) compiler.dispose();
  }
}

/** The packs that a pipeline compiles, as texts. */
async function texts(programs, site, pack, arch) {
  const packs = [];
  const compiler = uncached({ arch, workers: 1, effort: "draft" });
  const listening = {
    options: compiler.options,
    stream: (jobs, options) =>
      compiler.stream(
        (async function* () {
          for await (const job of jobs) {
            const { segments, holes, names } = job.template;
            packs.push(
              segments.map((text, i) => text + (i < holes.length ? job.stubs[names[holes[i]]] : "")).join(""),
            );
            yield job;
          }
        })(),
        options,
      ),
  };
  const pipeline = new KernelPipeline({
    kernel: KERNEL,
    sites: { func: site },
    compiler: listening,
    dedupe: false,
    pack,
  });
  try {
    await consume(pipeline.run(programs));
    return packs;
  } finally {
    pipeline.dispose();
    compiler.dispose();
  }
}

/** The main thread's time with a compiler that answers at once. */
async function overhead() {
  const real = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 1, cache: false });
  let cubin;
  const canned = {
    options: real.options,
    async *stream(jobs) {
      let index = 0;
      for await (const job of jobs) {
        cubin ??= await real.compile(job);
        yield { ...cubin, ok: true, index: index++ };
      }
    },
  };
  const programs = expressions(LINES, OVERHEAD_PROGRAMS);
  const compiler = new StackCompiler(table);
  const job = siteJob(table, KERNEL.injection("func").operands);
  const [all, own] = [[], []];
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const pipeline = new KernelPipeline({
        kernel: KERNEL,
        sites: { func: stackSite(table) },
        compiler: canned,
        pack: 128,
      });
      const began = mainThreadMicroseconds();
      await consume(pipeline.run(programs));
      const between = mainThreadMicroseconds();
      for (const program of programs) compiler.compile(program, job);
      const ended = mainThreadMicroseconds();
      pipeline.dispose();
      if (round < 0) continue;
      all.push((between - began) / OVERHEAD_PROGRAMS);
      own.push((ended - between) / OVERHEAD_PROGRAMS);
    }
  } finally {
    real.dispose();
  }
  const [ours, yardstick] = [median(all), median(own)];
  return {
    name: `main thread's time for a program, with a compiler that answers at once (yardstick: compiling its stub, which is part of it; budget in us)`,
    ours,
    yardstick,
    ratio: ours,
    budget: OVERHEAD_BUDGET,
    unit: "us",
    pass: ours <= OVERHEAD_BUDGET,
  };
}

/** Modules whose author has packed many sites by hand, one by one at full effort, against the same programs in automatic packs. */
async function workload(form) {
  const { kernels, sites, instructions, budget } = WORKLOAD;
  const module = manySites(kernels, sites, form);
  const programs = Array.from({ length: kernels * sites }, (_, seed) => programStub(seed, instructions));
  const text = module.render(Object.fromEntries(module.injections.map(({ name }, i) => [name, programs[i]])));
  const [arch] = ARCHES;
  const draft = uncached({ arch, workers: 1, effort: "draft" });
  const final = uncached({ arch, workers: 1, effort: "final" });
  const kernel = parsePtx(SMALL_KERNEL);
  const pipeline = new KernelPipeline({
    kernel,
    sites: { func: textSite() },
    compiler: draft,
    dedupe: false,
  });
  try {
    return await withBareLoop(
      [text],
      async (bareLoop) => {
        await consume(pipeline.run(programs));
        const samples = await interleaved(
          {
            packed: () => timed(() => consume(pipeline.run(programs)), programs.length),
            loop: () => bareLoop(1, 1) / programs.length,
            text: async () => (await timeAll(final, [{ ptx: text }])) / programs.length,
          },
          3,
        );
        const ratio = medianOf(samples, ({ loop, packed }) => loop / packed);
        const itself = medianOf(samples, ({ loop, text: ours }) => loop / ours);
        return {
          name: `${programs.length} programs of ${instructions} instructions, automatically packed and drafted (yardstick: a C loop over modules of ${kernels} kernels with ${sites} sites in ${form}; our compiler with that text: ${itself.toFixed(2)})`,
          ours: 1000 / medianOf(samples, ({ packed }) => packed),
          yardstick: 1000 / medianOf(samples, ({ loop }) => loop),
          ratio,
          budget: form === "series" ? budget : undefined,
          unit: "programs/s",
          pass: form === "series" ? ratio >= budget : undefined,
        };
      },
      arch,
    );
  } finally {
    pipeline.dispose();
    for (const compiler of [draft, final]) compiler.dispose();
  }
}
