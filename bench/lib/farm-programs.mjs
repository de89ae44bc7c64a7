// Programs on a farm: alternatives of a site and packs, which workers make themselves, compared with this machine's compiler.

import { availableParallelism } from "node:os";
import { AstProgram, input as astInput, constant } from "@mm-ptx/ast";
import { ptx as astPtx, table as astTable } from "@mm-ptx/ast/f32";
import { FarmCompiler, ProgramKernel } from "@mm-ptx/farm";
import { parsePtx } from "@mm-ptx/inject";
import { input, StackProgram } from "@mm-ptx/stack";
import { f32, ptx, table } from "@mm-ptx/stack/default";
import { atMost } from "./at-most.mjs";
import { ARCH, timeAll, uncached } from "./compiling.mjs";
import { median } from "./measure.mjs";
import { generator } from "./random.mjs";
import { GRID_KERNEL } from "./site-kernels.mjs";

const ROUNDS = 5;
const WARMING = 2;
const INSTRUCTIONS = 20;
const ALTERNATIVES = { jobs: 48, each: 200 };
const PACKS = { jobs: 6, each: 100 };
const SINGLE = 256;
const BUDGETS = { throughput: 0.95, faster: 20, bytes: 330, deflated: 100, microseconds: 10 };

/** The languages of programs; `x` is the input of the site. */
const STACK = { table, ptx, x: input(1), constant: f32, of: (words) => StackProgram.of(...words) };
const AST = {
  table: astTable,
  ptx: astPtx,
  x: astInput(0),
  constant,
  of: (words) => AstProgram.of(...words),
};

/** Programs of dependent instructions, such as the stubs of `programStub`. */
function programsOf({ ptx, x, constant, of }, count) {
  const binary = [ptx.addFtzF32, ptx.subFtzF32, ptx.mulFtzF32, ptx.minFtzF32, ptx.maxFtzF32];
  const unary = [ptx.negFtzF32, ptx.absFtzF32];
  const random = generator(7);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const step = () =>
    random() < 0.1
      ? [pick(unary)]
      : [random() < 0.5 ? x : constant(0.5 + Math.round(random() * 2 ** 16) / 2 ** 17), pick(binary)];
  return Array.from({ length: count }, () => of([x, ...Array.from({ length: INSTRUCTIONS }, step).flat()]));
}

/** @param {string} servers of a farm whose worker has no cache */
export async function programRows(servers) {
  const kernel = new ProgramKernel(parsePtx(GRID_KERNEL), table);
  const programs = programsOf(STACK, ALTERNATIVES.jobs * ALTERNATIVES.each);
  const formulas = programsOf(AST, SINGLE);
  const formulaKernel = new ProgramKernel(parsePtx(GRID_KERNEL), astTable);
  const slices = ({ jobs, each }) =>
    Array.from({ length: jobs }, (_, i) => programs.slice(i * each, (i + 1) * each));
  const compilers = (options) => ({
    farm: new FarmCompiler({ arch: ARCH, cache: false, servers, local: "never", ...options }),
    local: uncached({ backend: "isolated", workers: availableParallelism(), ...options }),
  });
  const [draft, final] = [compilers({ effort: "draft" }), compilers({})];
  try {
    const alternatives = await compared(draft, ALTERNATIVES, () =>
      slices(ALTERNATIVES).map((each) => kernel.alternatives("func", each)),
    );
    const packs = await compared(final, PACKS, () =>
      slices(PACKS).map((each) => kernel.pack(each.map((func) => ({ func })))),
    );
    const single = await compared(final, { jobs: SINGLE, each: 1 }, () =>
      programs.slice(0, SINGLE).map((func) => kernel.fill({ func })),
    );
    const singleFormulas = await compared(final, { jobs: SINGLE, each: 1 }, () =>
      formulas.map((func) => formulaKernel.fill({ func })),
    );
    const what = `programs of ${INSTRUCTIONS} instructions`;
    const faster = alternatives.farm / single.farm;
    const atBest = alternatives.local / single.local;
    return [
      throughput(
        `drafted alternatives of ${what}, ${ALTERNATIVES.each} a job, made by the worker`,
        alternatives,
      ),
      {
        name: `drafted alternatives of ${what} on a farm (yardstick: each compiled alone on the farm)`,
        ours: alternatives.farm,
        yardstick: single.farm,
        ratio: faster,
        budget: BUDGETS.faster,
        unit: "programs/s",
        pass: faster >= BUDGETS.faster,
      },
      {
        name: `drafted alternatives of ${what} by this machine's compiler (yardstick: each compiled alone by it)`,
        ours: alternatives.local,
        yardstick: single.local,
        ratio: atBest,
        budget: undefined,
        unit: "programs/s",
        pass: undefined,
      },
      throughput(`packs of ${what}, ${PACKS.each} a job, made by the worker`, packs),
      throughput(`${what}, one a kernel, made by the worker`, single),
      throughput(`AST PTX ${what}, one a kernel, made by the worker`, singleFormulas),
      atMost(
        "what is sent to a farm for a program of drafted alternatives",
        alternatives.bytes,
        BUDGETS.bytes,
        "bytes",
      ),
      ...(await costs("Stack PTX", STACK)),
      ...(await costs("AST PTX", AST)),
    ];
  } finally {
    for (const { farm, local } of [draft, final]) {
      farm.dispose();
      await local.disposeAsync();
    }
  }
}

/** Programs a second with both, and the bytes that the farm was sent for each program. */
async function compared({ farm, local }, { jobs, each }, makeJobs) {
  const rounds = [];
  for (let round = -WARMING; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? ["farm", "local"] : ["local", "farm"];
    const times = {};
    const before = farm.farm.bytes;
    // New objects in each round, because one that was compiled has its PTX.
    for (const name of order) times[name] = await timeAll({ farm, local }[name], makeJobs());
    if (round >= 0) rounds.push({ ...times, bytes: farm.farm.bytes - before });
  }
  const count = jobs * each;
  const perSecond = (of) => (1000 * count) / median(rounds.map((one) => one[of]));
  return {
    farm: perSecond("farm"),
    local: perSecond("local"),
    ratio: median(rounds.map((one) => one.local / one.farm)),
    bytes: median(rounds.map(({ bytes }) => bytes)) / count,
  };
}

const throughput = (name, { farm, local, ratio }) => ({
  name: `${name} of a farm (yardstick: this machine's compiler)`,
  ours: farm,
  yardstick: local,
  ratio,
  budget: BUDGETS.throughput,
  unit: "programs/s",
  pass: ratio >= BUDGETS.throughput,
});

/** What a program of alternatives takes: its bytes, deflated as to other machines, and how long a worker makes its stub. */
async function costs(name, language) {
  const load = (file) => import(new URL(file, import.meta.resolve("@mm-ptx/farm")));
  const [{ encodeParcel }, { openSources }] = [
    await load("./frames/parcel.js"),
    await load("./worker/sources.js"),
  ];
  const { RECIPE } = await import("@mm-ptx/cuda/backend");
  const kernel = new ProgramKernel(parsePtx(GRID_KERNEL), language.table);
  const all = programsOf(language, 800);
  const recipes = Array.from(
    { length: 4 },
    (_, i) => kernel.alternatives("func", all.slice(200 * i, 200 * (i + 1)))[RECIPE],
  );
  const [{ setup, form }] = recipes;
  const jobs = recipes.map(({ programs }) => programs);
  const blob = { hash: setup.hash, bytes: setup.bytes.length };
  const parcel = {
    options: { arch: ARCH, effort: "draft" },
    timeoutMs: 0,
    setup: blob,
    form,
    jobs,
    deaths: 0,
  };
  const times = [];
  for (let round = -WARMING; round < ROUNDS; round++) {
    const make = await openSources("bench", parcel, async () => setup.bytes);
    const start = performance.now();
    if (jobs.map(make).includes(undefined)) throw new Error("the worker did not make a program");
    if (round >= 0) times.push(performance.now() - start);
  }
  return [
    atMost(
      `what is sent for a program of ${name}, deflated, as to a farm on other machines`,
      encodeParcel(parcel).length / all.length,
      BUDGETS.deflated,
      "bytes",
    ),
    atMost(
      `the stub of a program of ${name}, made by the worker`,
      (1000 * median(times)) / all.length,
      BUDGETS.microseconds,
      "us",
    ),
  ];
}
