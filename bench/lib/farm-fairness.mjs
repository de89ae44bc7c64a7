// A second submitter beside one whose work does not end: when it gets its first answer, and its share of the jobs after that.

import { FarmCompiler } from "@mm-ptx/farm";
import { ARCH } from "./compiling.mjs";
import { straightLineKernel } from "./kernels.mjs";

const ALONE_MS = 2000;
const TOGETHER_MS = 4000;
const FIRST_MS = 1000;
const SHARE = 0.4;

/** @param {string} servers of a farm whose worker has no cache */
export async function fairnessRows(servers) {
  const open = (submitter) =>
    new FarmCompiler({ arch: ARCH, cache: false, servers, local: "never", submitter });
  const [greedy, second] = [open("greedy"), open("second")];
  const done = { greedy: 0, second: 0 };
  const ended = new AbortController();
  const run = async (name, compiler, first) => {
    const work = (function* () {
      for (let seed = first; ; seed++) yield straightLineKernel(seed, 20);
    })();
    try {
      for await (const result of compiler.stream(work, { signal: ended.signal })) if (result.ok) done[name]++;
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
  };
  try {
    // It knows the farm before it has work, as a process that has run for a while does.
    await second.compile(straightLineKernel(0, 20));
    const streams = [run("greedy", greedy, 1)];
    await after(ALONE_MS);
    const start = performance.now();
    await second.compile(straightLineKernel(1_000_000, 20));
    const first = performance.now() - start;
    streams.push(run("second", second, 2_000_000));
    while (done.second === 0) await after(10);
    const before = { ...done };
    await after(TOGETHER_MS);
    const own = done.second - before.second;
    const share = own / (own + done.greedy - before.greedy);
    ended.abort();
    await Promise.all(streams);
    return [
      {
        name: "a second submitter beside one with endless work: its first answer",
        ours: first,
        yardstick: undefined,
        ratio: undefined,
        budget: FIRST_MS,
        unit: "ms",
        pass: first <= FIRST_MS,
      },
      {
        name: "its share of the jobs from then on",
        ours: share,
        yardstick: undefined,
        ratio: undefined,
        budget: SHARE,
        unit: "",
        pass: share >= SHARE,
      },
    ];
  } finally {
    greedy.dispose();
    second.dispose();
  }
}

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
