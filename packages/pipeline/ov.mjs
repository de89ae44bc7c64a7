import { readFileSync } from "node:fs";
import { PtxCompiler, u32 } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { table } from "@mm-ptx/stack/default";
import { samplePrograms } from "../../apps/quickstart/dist/programs.js";
import { StubMaker } from "../../apps/quickstart/dist/stubs.js";
import { input, KernelPipeline, output, stackSite } from "./dist/index.js";

const kernel = parsePtx(readFileSync("apps/quickstart/kernel.ptx", "utf8"));
const maker = new StubMaker(table, kernel.injection("func"));
const n = Number(process.argv[2] ?? 20000);
const progs = [
  ...samplePrograms(
    n,
    7,
    table,
    { registers: maker.registers, inputs: maker.inputs },
    { target: "sm_75", ptxVersion: "9.0" },
  ),
];
const real = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 1, cache: false });
let canned;
const compiler = {
  options: { arch: "sm_90", effort: "draft", workers: 2 },
  async *stream(jobs) {
    let index = 0;
    for await (const job of jobs) {
      canned ??= await real.compile(job);
      yield { ...canned, ok: true, index: index++ };
    }
  },
};
for (let r = 0; r < 4; r++) {
  const pipeline = new KernelPipeline({ kernel, sites: { func: stackSite(table) }, compiler, pack: 128 });
  const t0 = performance.now();
  const c = process.cpuUsage();
  let count = 0;
  for await (const x of pipeline.run(progs)) count++;
  const { user, system } = process.cpuUsage(c);
  const m = pipeline.stats.milliseconds;
  console.log(
    count,
    (((performance.now() - t0) * 1000) / n).toFixed(1),
    "us each wall",
    ((user + system) / n).toFixed(1),
    "us cpu",
    Object.entries(m)
      .map(([k, v]) => k + " " + ((v * 1000) / n).toFixed(2))
      .join(", "),
  );
  if (r === 3) console.log(JSON.stringify(pipeline.stats), JSON.stringify(pipeline.plan));
  pipeline.dispose();
}
real.dispose();
