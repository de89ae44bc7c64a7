// What a worker's compiler learns of the worker's machine: nothing about files that PTX names.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { FarmCompiler } from "../src/index.js";
import { LACKS, TestFarm } from "./support/farm.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const OPTIONS = { arch: "sm_90", cache: false, workers: 1, local: "never" } as const;

/** PTX whose lines are said to be those of a file. */
const ptxOfFile = (path: string): string => `.version 8.0
.target sm_75
.address_size 64
.file 1 "${path}"
.visible .entry write(.param .u64 out) {
  .reg .b64 %out;
  .loc 1 3 0
  ld.param.u64 %out, [out];
  st.global.u64 [%out], %out;
  ret;
}
`;

/** Why strace can't be used, if it can't. */
const NO_TRACE = (() => {
  if (findOnPath(["strace"], process.env) === undefined) return "no strace";
  try {
    execFileSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", process.execPath, "-e", "0"], {
      stdio: "ignore",
    });
    return undefined;
  } catch {
    return "strace may not trace";
  }
})();

describe.skipIf(LACKS !== undefined)(`a worker${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-sealed-"));
  const path = join(folder, "kernel.cu");
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await TestFarm.start();
  });
  afterAll(async () => {
    await farm?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const compiler = () => new FarmCompiler({ ...OPTIONS, servers: farm.servers, lineInfo: true });

  it("gives the same cubin whether the file of `.file` is there, whatever its size and time", async () => {
    const worker = await farm.worker();
    await using remote = compiler();
    const absent = (await remote.compile(ptxOfFile(path))).cubin;
    writeFileSync(path, "short");
    const there = (await remote.compile(ptxOfFile(path))).cubin;
    writeFileSync(path, "of another size");
    utimesSync(path, 1_000_000_000, 1_000_000_000);
    const other = (await remote.compile(ptxOfFile(path))).cubin;
    expect([there, other]).toEqual([absent, absent]);
    expect(Buffer.from(absent).includes("kernel.cu")).toBe(true);
    expect(worker.status()).toMatchObject({ confined: true, jobs: 3, cached: 0 });
    await worker.drain();
  });

  it.skipIf(NO_TRACE !== undefined)(
    `asks the system for no such path, and no compile process opens a socket${NO_TRACE === undefined ? "" : ` (${NO_TRACE})`}`,
    { timeout: 180_000 },
    async () => {
      const log = join(folder, "trace");
      const words = [
        "-f",
        "--seccomp-bpf",
        "-o",
        log,
        "-e",
        "trace=%file,%network,execve",
        process.execPath,
        MAIN,
        "worker",
      ];
      const flags = ["--servers", farm.servers, "--workers", "1", "--no-cache"];
      const child = spawn("strace", [...words, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      await using remote = compiler();
      expect((await remote.compile(ptxOfFile(path))).info.kernels).toHaveLength(1);
      remote.dispose();
      // strace ends with what it traces.
      process.kill(Number.parseInt(readFileSync(log, "utf8"), 10), "SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const lines = readFileSync(log, "utf8").split("\n");
      const processes = lines.filter((line) => /execve\(.*mmptx-worker/.test(line));
      expect(processes.length).toBeGreaterThan(0);
      expect(lines.filter((line) => line.includes(path))).toEqual([]);
      const compiling = new Set(processes.map((line) => line.split(" ", 1)[0]));
      const network = /\b(?:socket|connect|bind|listen|accept4?|sendto)\(/;
      const ofCompilers = lines.filter((line) => compiling.has(line.split(" ", 1)[0]) && network.test(line));
      expect(ofCompilers).toEqual([]);
    },
  );
});
