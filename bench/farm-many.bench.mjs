// Very many jobs of many submitters on a farm of this machine: the memory of its server and of the process with all submitters. The
// worker answers from its cache, so that messages are what there is to do.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FarmCompiler } from "@mm-ptx/farm";
import { ARCH } from "./lib/compiling.mjs";
import { freePort } from "./lib/farm-port.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";

const MAIN = fileURLToPath(new URL("./cli/main.js", import.meta.resolve("@mm-ptx/farm/command")));
const JOBS = 100_000;
const SUBMITTERS = 64;
/** All submitters have the same texts, which the worker compiles once for each of them. */
const TEXTS = 4;
const BUDGETS_MB = { server: 150, submitters: 1024 };
const EVERY_MS = 50;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-many-"));
  const children = [];
  const begin = async (...words) => {
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
    const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    const [text] = await once(child.stdout, "data");
    return String(text);
  };
  try {
    const port = await freePort();
    const servers = `nats://127.0.0.1:${port}`;
    await begin("serve", "--folder", join(folder, "farm"), "--port", `${port}`);
    const pid = Number(readFileSync(join(folder, "farm", "nats-server.pid"), "utf8"));
    const told = await begin("worker", "--servers", servers);
    return await many(servers, / for the pool (\S+) /.exec(told)[1], pid);
  } finally {
    for (const child of children.reverse()) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function many(servers, pool, server) {
  const texts = Array.from({ length: TEXTS }, (_, seed) => straightLineKernel(seed, 20));
  const compilers = Array.from({ length: SUBMITTERS }, (_, i) => {
    const options = { arch: ARCH, cache: false, workers: 1, servers, pool, local: "never" };
    return new FarmCompiler({ ...options, submitter: `submitter-${i}` });
  });
  const peaks = { server: 0, submitters: 0 };
  const look = () => {
    peaks.server = Math.max(peaks.server, residentMb(server));
    peaks.submitters = Math.max(peaks.submitters, residentMb(process.pid));
  };
  let done = 0;
  const work = function* (count) {
    for (let i = 0; i < count; i++) yield texts[i % TEXTS];
  };
  const timer = setInterval(look, EVERY_MS);
  const start = performance.now();
  try {
    await Promise.all(
      compilers.map(async (compiler) => {
        for await (const result of compiler.stream(work(Math.ceil(JOBS / SUBMITTERS)))) if (result.ok) done++;
      }),
    );
    look();
  } finally {
    clearInterval(timer);
    for (const compiler of compilers) compiler.dispose();
  }
  const seconds = (performance.now() - start) / 1000;
  const name = `${JOBS.toLocaleString("en")} jobs of ${SUBMITTERS} submitters`;
  return [
    {
      name,
      ours: done / seconds,
      yardstick: undefined,
      ratio: undefined,
      budget: undefined,
      unit: "jobs/s",
      pass: done >= JOBS,
    },
    ...["server", "submitters"].map((of) => ({
      name: `${name}: most memory of the ${of === "server" ? "server" : "process with all submitters"}`,
      ours: peaks[of],
      yardstick: undefined,
      ratio: undefined,
      budget: BUDGETS_MB[of],
      unit: "MB",
      pass: peaks[of] > 0 ? peaks[of] <= BUDGETS_MB[of] : undefined,
    })),
  ];
}

/** The resident size of a process; 0 where there is no `/proc`. */
function residentMb(pid) {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  } catch {
    return 0;
  }
}
