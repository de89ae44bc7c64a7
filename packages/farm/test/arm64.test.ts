// A worker for ARM, under QEMU: it is a pool of its own, because its compiler may round constants differently, and what it compiles
// has the same kernels. It needs the release for ARM: `npm run release -- linux-arm64`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { missingEmulator, withEmulated } from "../../../scripts/lib/emulators.mjs";
import { packageFolders, ROOT, readManifest } from "../../../scripts/lib/workspace.mjs";
import { FarmCompiler } from "../src/index.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const PLATFORM = "linux-arm64";
const RELEASE = join(ROOT, "out/release", PLATFORM);
const MISSING =
  LACKS ??
  missingEmulator(PLATFORM) ??
  (existsSync(join(RELEASE, "libmmptxc.so")) ? undefined : "the release for it has not been made");

/** Copies a package of the workspace and what it depends on, as an installation would have them. */
function install(name: string, folder: string): void {
  const target = join(folder, "node_modules", name);
  if (existsSync(target)) return;
  const source = packageFolders(ROOT).find((each) => readManifest(ROOT, each).name === name)!;
  for (const part of ["dist", "package.json"])
    cpSync(join(ROOT, source, part), join(target, part), { recursive: true });
  if (name === "@mm-ptx/types")
    for (const part of ["bundle", "generated"])
      if (existsSync(join(ROOT, source, part)))
        cpSync(join(ROOT, source, part), join(target, part), { recursive: true });
  for (const dependency of Object.keys(readManifest(ROOT, source).dependencies ?? {})) {
    if (dependency.startsWith("@mm-ptx/")) {
      install(dependency, folder);
      continue;
    }
    const link = join(folder, "node_modules", dependency);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(realpathSync(join(ROOT, source, "node_modules", dependency)), link);
  }
}

it.skipIf(MISSING !== undefined)(
  `a worker for ARM is a pool of its own${MISSING === undefined ? "" : ` (${MISSING})`}`,
  { timeout: 300_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-arm-"));
    await using farm = await TestFarm.start();
    install("@mm-ptx/farm", folder);
    cpSync(RELEASE, join(folder, "node_modules/@mm-ptx", `cuda-${PLATFORM}`), { recursive: true });
    const problems = await withEmulated(PLATFORM, folder, async (_, session) => {
      if (!session.backends.includes("isolated")) return ["no processes"];
      const [program = "", ...words] = session.command;
      const main = join(folder, "node_modules/@mm-ptx/farm/dist/cli/main.js");
      // QEMU has no seccomp.
      const flags = ["--servers", farm.servers, "--workers", "1", "--no-cache", "--confine", "off"];
      const child = spawn(program, [...words, session.node, main, "worker", ...flags], {
        cwd: folder,
        env: { ...process.env, ...session.variables },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [told] = await once(child.stdout, "data");
      const pool = / for the pool (\S+) /.exec(String(told))?.[1];
      expect(pool).toMatch(/^13_0_88-arm64-[0-9a-f]{8}$/);
      const local = await farm.worker();
      expect(local.pool).not.toBe(pool);
      const options = { arch: "sm_90", cache: false, workers: 1, servers: farm.servers } as const;
      await using compiler = new FarmCompiler({ ...options, pool: pool!, local: "never" });
      const results = await compiler.compileAll([ptxOf(1), ptxOf(2), ptxOf("%nowhere")]);
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
      const pools = results.map((each) => each.ok && each.info.farm!.pool);
      expect(pools).toEqual([pool, pool, false]);
      expect(local.status().jobs).toBe(0);
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      return [];
    });
    rmSync(folder, { recursive: true, force: true });
    if (problems[0] === "no processes") return context.skip();
    expect(problems).toEqual([]);
  },
);
