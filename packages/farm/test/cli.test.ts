// The command line: a farm of processes that compiles files, and what it says about wrong words.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PtxCompiler } from "@mm-ptx/cuda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readyText } from "../src/cli/serve.js";
import { farmMetricsText, metricsText } from "../src/status/metrics.js";
import { freePort, LACKS, ptxOf } from "./support/farm.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...words: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...words], { cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

describe("wrong words", () => {
  it.each([
    [["serve", "--host", "0.0.0.0"], "expected keys, which `mm-ptx-farm keys` makes, and a certificate"],
    [["serve", "--cert", "a.pem"], "expected `--cert` and `--cert-key` together"],
    [["worker", "--servers", "http://x"], "option `--servers`: expected an address such as"],
    [["worker", "--servers", "127.0.0.1:65536"], "expected an address such as"],
    [["worker", "--confine", "maybe"], "option `--confine`: expected a word (required, auto, off)"],
    [
      ["worker", "--drain-ms", `${2 ** 31}`],
      "option `--drain-ms`: expected a whole number from 0 to 86400000",
    ],
    [["worker", "--workers", "x"], "option `--workers`: expected a whole number from 1 to 1024, found `x`"],
    [["worker", "--timeout-limit-ms", "-1"], "option `--timeout-limit-ms`: expected a whole number from 0"],
    [["submit", "a.ptx", "--verify", "2"], "option `--verify`: expected a number from 0 to 1, found `2`"],
    [["keys", "king"], "expected a role (worker, submitter, viewer)"],
    [["submit", "a.ptx"], "--arch"],
    [["submit", "a.ptx", "--arch", "sm_91", "-o", "out"], "option `--arch`: expected one of sm_75"],
  ])("%j", async (words, message) => {
    const { code, stderr } = await run(...words);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("a server that is not there is a problem, and --json says which", async () => {
    const { code, stdout } = await run(
      "status",
      "--json",
      "--servers",
      `nats://127.0.0.1:${await freePort()}`,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "UNREACHABLE" } });
  });
});

it("keys are made once and listed", async () => {
  expect(await run("keys")).toMatchObject({ code: 0, stdout: expect.stringContaining("no keys") });
  expect((await run("keys", "submitter", "alice", "--folder", "f")).stdout).toContain("submitter-alice.key");
  expect((await run("keys", "submitter", "alice", "--folder", "f")).stderr).toContain("expected a new name");
  const { keys } = JSON.parse((await run("keys", "--folder", "f", "--json")).stdout);
  expect(keys.map(({ role }: { role: string }) => role)).toEqual(["submitter", "admin"]);
});

it("a server prints all that workers and submitters need", () => {
  const text = readyText("tls://farm.example:4222", "2.15.1", "f/keys", "ca.pem");
  expect(text).toContain(
    "mm-ptx-farm worker --servers tls://farm.example:4222 --key f/keys/worker-NAME.key --ca ca.pem\n",
  );
  expect(text).toContain(
    'servers: "tls://farm.example:4222", key: "f/keys/submitter-NAME.key", ca: "ca.pem" })\n',
  );
  expect(readyText("nats://127.0.0.1:4222", "2.15.1", undefined, undefined)).toContain(
    'servers: "nats://127.0.0.1:4222" })\n',
  );
});

it("figures are in the format of Prometheus", () => {
  const status = { id: "a-1", pool: "13_0_88-x64-0", cores: 4, busy: 1, jobs: 9, crashes: 0 };
  const lines = metricsText(status as Parameters<typeof metricsText>[0])
    .trim()
    .split("\n");
  expect(lines).toContain('mm_ptx_farm_worker_jobs_total{worker="a-1",pool="13_0_88-x64-0"} 9');
  for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+\{[^}]*\} \S+)$/);
});

it("so are those of a farm, in which submitters of one name are one", () => {
  const submitter = { name: "alice", pool: "13_0_88-x64-0", queued: 2, open: 1, share: 0.25 };
  const pool = { pool: "13_0_88-x64-0", workers: 1, waiting: 3, waitP50Ms: 8, waitP95Ms: 45, oldestMs: 60 };
  const farm = { pools: [pool], workers: [], submitters: [submitter, submitter] };
  const lines = farmMetricsText(farm as unknown as Parameters<typeof farmMetricsText>[0])
    .trim()
    .split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'mm_ptx_farm_pool_waiting{pool="13_0_88-x64-0"} 3',
      'mm_ptx_farm_pool_oldest_milliseconds{pool="13_0_88-x64-0"} 60',
      'mm_ptx_farm_pool_wait_milliseconds{pool="13_0_88-x64-0",quantile="0.95"} 45',
      'mm_ptx_farm_submitter_queued{submitter="alice",pool="13_0_88-x64-0"} 4',
      'mm_ptx_farm_submitter_share{submitter="alice",pool="13_0_88-x64-0"} 0.5',
    ]),
  );
  for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+\{[^}]*\} \S+)$/);
});

describe.skipIf(LACKS !== undefined)(`a farm of processes${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  const children: ChildProcess[] = [];
  let servers: string;
  let metrics: number;
  let farmMetrics: number;
  const begin = async (...words: string[]): Promise<string> => {
    const child = spawn(process.execPath, [MAIN, ...words], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const [text] = await once(child.stdout!, "data");
    return String(text);
  };
  beforeAll(async () => {
    const port = await freePort();
    metrics = await freePort();
    farmMetrics = await freePort();
    servers = `nats://127.0.0.1:${port}`;
    const words = ["--folder", "farm", "--port", `${port}`, "--metrics", `${farmMetrics}`];
    expect(await begin("serve", ...words)).toContain(`mm-ptx-farm worker --servers ${servers}`);
    const told = await begin(
      "worker",
      "--servers",
      servers,
      "--workers",
      "1",
      "--no-cache",
      "--metrics",
      `${metrics}`,
    );
    expect(told).toMatch(/^worker [\w-]+ compiles for the pool [\w-]+ on 1 core\n/);
  });
  afterAll(async () => {
    for (const child of children.reverse()) {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      expect(child.exitCode).toBe(0);
    }
  });

  it("compiles files as a compiler of this machine does, and names those that it can't", async () => {
    mkdirSync(join(folder, "in"));
    for (const name of ["a", "b"])
      writeFileSync(join(folder, "in", `${name}.ptx`), ptxOf(name.charCodeAt(0)));
    writeFileSync(join(folder, "in", "c.ptx"), ptxOf("%nowhere"));
    const flags = ["--arch", "sm_90", "--out", "out", "--no-cache", "--local", "never", "--servers", servers];
    const { code, stdout, stderr } = await run("submit", "in/*.ptx", ...flags);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "written out/a.cubin\nwritten out/b.cubin\n" });
    expect(stderr).toContain("in/c.ptx: error: PTX does not compile for `sm_90`");
    await using local = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
    const { cubin } = await local.compile(ptxOf("a".charCodeAt(0)));
    expect(readFileSync(join(folder, "out", "a.cubin"))).toEqual(Buffer.from(cubin));
  });

  it("shows its workers as a table, as JSON and for Prometheus", async () => {
    const { stdout } = await run("status", "--servers", servers);
    expect(stdout).toMatch(
      /^pool +workers .*\n[\w-]+ .*\n\nworker +host .*\n[\w-]+ .*\n\n1 worker, 0 submitters\n$/,
    );
    const { workers, pools } = JSON.parse((await run("status", "--json", "--servers", servers)).stdout);
    expect(pools).toEqual([expect.objectContaining({ workers: 1, cores: 1, waiting: 0, taken: 0 })]);
    expect(workers).toEqual([expect.objectContaining({ kind: "worker", confined: true, draining: false })]);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).toContain("mm_ptx_farm_worker_cores");
    const ofFarm = await (await fetch(`http://127.0.0.1:${farmMetrics}/metrics`)).text();
    expect(ofFarm).toContain(`mm_ptx_farm_pool_workers{pool="${pools[0].pool}"} 1`);
    expect((await fetch(`http://127.0.0.1:${metrics}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${metrics}/`)).status).toBe(404);
  });

  it("watches until nobody reads it any more", async () => {
    const words = [MAIN, "status", "--watch", "--servers", servers];
    const watching = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(watching);
    await once(watching.stdout, "data");
    watching.stdout.destroy();
    expect(await once(watching, "exit")).toEqual([0, null]);
  });

  it("ends a worker whose port for figures is taken, and says so", async () => {
    const words = ["--servers", servers, "--workers", "1", "--no-cache", "--metrics", `${metrics}`];
    const { code, stderr } = await run("worker", ...words);
    expect(stderr).toContain(
      `option \`--metrics\`: expected a free port of this machine, found 127.0.0.1:${metrics}`,
    );
    expect(code).toBe(2);
  });

  it("says what files wait for that no worker takes, and why they were not compiled", async () => {
    const pool = "1_2_3-x64-00000000";
    const flags = ["--arch", "sm_90", "--out", "other", "--no-cache", "--servers", servers, "--pool", pool];
    writeFileSync(join(folder, "waiting.ptx"), ptxOf(1));
    const words = ["submit", "waiting.ptx", ...flags];
    const waiting = spawn(process.execPath, [MAIN, ...words], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [text] = await once(waiting.stderr, "data");
    waiting.kill();
    expect(String(text)).toMatch(
      /^warning: jobs wait up to 60 s for the farm: expected workers of the pool 1_2_3-x64-00000000, found workers of 1\w+-\w+-\w+\n$/,
    );
    const { code, stdout } = await run(...words, "--patience-ms", "1500", "--json");
    expect(JSON.parse(stdout).cubins).toMatchObject([
      {
        state: "failed",
        problem: {
          code: "NO_WORKERS",
          message: expect.stringContaining(`expected workers of the pool ${pool}`),
          help: expect.stringContaining("#farmerror-no_workers"),
        },
      },
    ]);
    expect(code).toBe(1);
  });

  it("examines itself", async () => {
    const { code, stdout } = await run("doctor", "--json", "--servers", servers);
    const { findings } = JSON.parse(stdout);
    expect(findings.map(({ what }: { what: string }) => what)).toEqual([
      "compiler",
      "confinement",
      "nats-server",
      "server",
      "compile",
    ]);
    expect(code).toBe(findings.every(({ ok }: { ok: boolean }) => ok) ? 0 : 1);
  });
});
