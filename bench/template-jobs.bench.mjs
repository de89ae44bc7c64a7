// Jobs as filled kernels compared with jobs as rendered text: the time that each takes on the main thread,
// including rendering. Kernels are lengthened by comments, which take no time to compile.

import { parsePtx } from "@mm-ptx/inject";
import { mainThreadMicroseconds, timeAll, uncached } from "./lib/compiling.mjs";
import { programStub, SMALL_KERNEL } from "./lib/site-kernels.mjs";

const ROUNDS = 7;
const JOBS = 100;
const INSTRUCTIONS = 20;
const SIZES = { "1 KB": 0, "20 KB": 20_000, "200 KB": 200_000 };
/** No more expensive for a small kernel; the savings grow with the length. */
const BUDGET = 1.1;
const COMMENT = `// ${"-".repeat(76)}\n`;

export async function run() {
  const compiler = uncached({ backend: "in-process" });
  const stubs = Array.from({ length: JOBS }, (_, seed) => programStub(seed, INSTRUCTIONS));
  try {
    const rows = [];
    for (const [name, bytes] of Object.entries(SIZES)) {
      const text = SMALL_KERNEL + COMMENT.repeat(Math.ceil(bytes / COMMENT.length));
      rows.push(await compare(name, parsePtx(text), stubs, compiler));
    }
    return rows;
  } finally {
    compiler.dispose();
  }
}

async function compare(name, annotated, stubs, compiler) {
  const kinds = {
    template: () => stubs.map((func) => annotated.fill({ func })),
    text: () => stubs.map((func) => ({ ptx: annotated.render({ func }) })),
  };
  const least = {};
  for (let round = -1; round < ROUNDS; round++) {
    for (const [kind, jobs] of Object.entries(kinds)) {
      const before = mainThreadMicroseconds();
      await timeAll(compiler, jobs());
      const each = (mainThreadMicroseconds() - before) / JOBS;
      if (round >= 0) least[kind] = Math.min(least[kind] ?? Number.POSITIVE_INFINITY, each);
    }
  }
  const ratio = least.template / least.text;
  return {
    name: `main thread's time for a job of a ${name} kernel as a filled kernel (yardstick: as text)`,
    ours: least.template,
    yardstick: least.text,
    ratio,
    budget: BUDGET,
    unit: "us",
    pass: ratio <= BUDGET,
  };
}
