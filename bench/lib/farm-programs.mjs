// Programs on a farm: alternatives of a site and packs, which workers make themselves, compared with this machine's compiler.

import { availableParallelism } from "node:os";
import { FarmCompiler, ProgramKernel } from "@mm-ptx/farm";
import { parsePtx } from "@mm-ptx/inject";
import { input, StackProgram } from "@mm-ptx/stack";
import { f32, ptx, table } from "@mm-ptx/stack/default";
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
const BUDGETS = { throughput: 0.95, faster: 20, bytes: 330, deflated: 100 };

const BINARY = [ptx.addFtzF32, ptx.subFtzF32, ptx.mulFtzF32, ptx.minFtzF32, ptx.maxFtzF32];
const UNARY = [ptx.negFtzF32, ptx.absFtzF32];

/** Programs of dependent instructions, such as the stubs of `programStub`. */
function programsOf(count) {
  const random = generator(7);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const step = () =>
    random() < 0.1
      ? [pick(UNARY)]
      : [random() < 0.5 ? input(1) : f32(0.5 + Math.round(random() * 2 ** 16) / 2 ** 17), pick(BINARY)];
  return Array.from({ length: count }, () =>
    StackProgram.of(input(1), ...Array.from({ length: INSTRUCTIONS }, step).flat()),
  );
}

/** @param {string} servers of a farm whose worker has no cache */
export async function programRows(servers) {
  const kernel = new ProgramKernel(parsePtx(GRID_KERNEL), table);
  const programs = programsOf(ALTERNATIVES.jobs * ALTERNATIVES.each);
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
    const what = `programs of ${INSTRUCTIONS} instructions`;
    const faster = alternatives.farm / single.farm;
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
      throughput(`packs of ${what}, ${PACKS.each} a job, made by the worker`, packs),
      throughput(`${what}, one a kernel, made by the worker`, single),
      ...(await sizes(alternatives.bytes)),
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

/** What travels for a program, as it does on this machine, and deflated, as it does to others. */
async function sizes(bytes) {
  const { encodeParcel } = await import(new URL("./frames/parcel.js", import.meta.resolve("@mm-ptx/farm")));
  const all = programsOf(800);
  const jobs = Array.from({ length: 4 }, (_, job) => {
    const programs = all.slice(200 * job, 200 * (job + 1));
    const words = programs.flatMap((program) => [...program.words]);
    return { counts: programs.map(({ length }) => length), words: Uint32Array.from(words) };
  });
  const setup = { hash: "0".repeat(64), bytes: 2000 };
  const form = { kind: "alternatives", site: "func", count: 200 };
  const parcel = { options: { arch: ARCH, effort: "draft" }, timeoutMs: 0, setup, form, jobs, deaths: 0 };
  const deflated = encodeParcel(parcel).length / (200 * jobs.length);
  const row = (name, ours, budget) => ({
    name,
    ours,
    yardstick: undefined,
    ratio: undefined,
    budget,
    unit: "bytes",
    pass: ours <= budget,
  });
  return [
    row("what is sent to a farm for a program of drafted alternatives", bytes, BUDGETS.bytes),
    row("the same, deflated, as to a farm on other machines", deflated, BUDGETS.deflated),
  ];
}
