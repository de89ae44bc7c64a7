// The main job as a user starts it: the built quickstart in a separate process, with small runs.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOptions } from "../apps/quickstart/dist/options.js";
import { capabilities, readCubin } from "../packages/cuda/dist/index.js";
import { SOAK } from "./support/counts.js";
import { leftovers, lines, outputFolders, run, runAlone, script } from "./support/main-job.js";
import { NO_TOOLKITS } from "./support/no-toolkits.js";
import { ROOT } from "./support/workspace.js";

const KERNEL_PTX = join(ROOT, "apps/quickstart/kernel.ptx");
/** A platform without native packages, and a PATH without tools: nothing compiles there. */
const NOTHING_COMPILES = {
  PATH: "",
  CUDA_HOME: "",
  CUDA_PATH: "",
  NODE_OPTIONS: `${NO_TOOLKITS} --import=data:text/javascript,${encodeURIComponent('Object.defineProperty(process,"arch",{value:"none"})')}`,
};

/** How many programs runs have that are compared with each other. */
const PROGRAMS = SOAK ? "10" : "5";

const folder = outputFolders();

const omitted = (record: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
const numbered = (out: string) => readdirSync(out).filter((name) => /^\d+\./.test(name));

describe("arguments and outputs", () => {
  it.each([
    [["--sed", "1"], "expected a known option, found `--sed`, did you mean `--seed`?"],
    [["--arch", "sm90"], "found `sm90`, did you mean `sm_90`?"],
    [["--arch", "hopper"], "found `hopper`; known are sm_75 "],
    [["--arch", "compute_90"], "found `compute_90`, did you mean `sm_90`?"],
    [["--arch", "compute_90a"], "did you mean `sm_90a`?"],
    [["--arch", "comptue_120"], "did you mean `sm_120`?"],
    [["--arch", "SM-9O"], "did you mean `sm_90`?"],
    [["--arch", "90"], "found `90`, did you mean `sm_90`?"],
    [["--programs", "0"], "expected a whole number from 1 to 1000000 for `--programs`, found `0`"],
    [["--programs", "1e3"], "found `1e3`"],
    [["--seed", "-1"], "`--seed`"],
    [["--seed", "4294967296"], "expected a whole number from 0 to 4294967295 for `--seed`"],
    [["--workers", "many"], "`--workers`, found `many`"],
    [["--programs"], "expected a value after `--programs`, found nothing"],
    [["keep"], "expected only options, found `keep`, did you mean `--keep`?"],
    [["100", "7"], "expected only options, found `100` and `7`\n"],
    [["1", "2", "3", "4", "5", "6"], "found `1`, `2`, `3`, `4` and 2 more\n"],
    [["--programs", "5", "sm_90", "json"], "found `sm_90` and `json`, did you mean `--json`?"],
    [["--", "--seed", "3"], "expected only options, found `--seed` and `3`\n"],
    [
      ["--run", "emulater"],
      "expected one of auto, gpu, emulator, none for `--run`, found `emulater`, did you mean `emulator`?",
    ],
    [["--pack", "1"], "expected auto, none or a whole number from 2 to 4096 for `--pack`, found `1`"],
    [["--pack", "non"], "found `non`, did you mean `none`?"],
    [["--out", ""], "expected a folder for `--out`, found an empty name"],
  ])("%j is a usage error", (args, message) => {
    try {
      expect(parseOptions(args, "out")).toBeUndefined();
    } catch (error) {
      expect(error).toMatchObject({ code: "USAGE" });
      const { message: found } = error as Error;
      expect(found).not.toContain("\n");
      expect(`${found}\n`).toContain(message);
    }
  });

  it("a usage error is one line on stderr, and status 2", async () => {
    const { status, stdout, stderr } = await run(["--sed", "1"]);
    expect(stderr).toBe("error: expected a known option, found `--sed`, did you mean `--seed`?\n");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  it("an output folder that cannot be written is refused before any work", async () => {
    const file = folder();
    writeFileSync(file, "mine");
    for (const out of [file, join(file, "below")]) {
      const { status, stdout, stderr } = await run(["--programs", "5", "--out", out]);
      expect(stderr).toBe(
        `error: expected a folder that can be written for \`--out\`, found \`${out}\`: a file of that name is in the way\n`,
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    }
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  it.skipIf(process.platform !== "linux")("a folder where the system allows none is refused", async () => {
    const { status, stderr } = await run(["--out", "/proc/nowhere/at/all"]);
    expect(stderr).toMatch(/^error: expected a folder .*: no folder can be made there\n$/);
    expect(status).toBe(1);
  });

  it("--help lists all options", async () => {
    const { status, stdout, stderr } = await run(["--help"]);
    const options = [
      "programs",
      "seed",
      "arch",
      "out",
      "keep",
      "json",
      "run",
      "pack",
      "require-compile",
      "workers",
      "no-cache",
      "farm",
    ];
    for (const option of options) expect(stdout).toContain(`--${option}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("running the programs", () => {
  it("is left out on request", () => {
    const out = folder();
    const { status, stdout } = runAlone(["--programs", "3", "--run", "none", "--out", out], NOTHING_COMPILES);
    expect(stdout).toMatch(/ran\s+skipped: not requested/);
    expect(lines(out).map(Object.keys)).toEqual(Array(3).fill(["index", "program", "stub"]));
    expect(status).toBe(0);
  });
});

describe("on a machine where nothing compiles", () => {
  it("makes and renders the stubs, says so, and succeeds", () => {
    const out = folder();
    const { status, stdout, stderr } = runAlone(
      ["--programs", "7", "--keep", "--json", "--out", out],
      NOTHING_COMPILES,
    );
    expect(stderr).toMatch(/nothing (on this machine )?can compile/i);
    const checks = { run: { on: "emulator", ran: 7, agreed: 7, problems: [] } };
    expect(JSON.parse(stdout)).toMatchObject({ programs: 7, done: 7, compiled: 0, failed: 0, checks });
    expect(status).toBe(0);
    expect(lines(out).map(Object.keys)).toEqual(Array(7).fill(["index", "program", "stub", "ran", "agrees"]));
    expect(numbered(out)).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `0000${i}.ptx`));
  });

  it("fails when a compile is required", () => {
    const { status, stdout } = runAlone(
      ["--programs", "3", "--require-compile", "--out", folder()],
      NOTHING_COMPILES,
    );
    expect(stdout).toMatch(/compiled\s+0/);
    expect(status).toBe(1);
  });
});

describe("on a machine with a compiler", { skip: capabilities().compilerVersion === undefined }, () => {
  it("writes verified cubins with one line of results each, a picture, and one JSON object", async () => {
    const out = folder();
    const { status, stdout, stderr } = await run([
      "--programs",
      "12",
      "--seed",
      "7",
      "--keep",
      "--json",
      "--out",
      out,
    ]);
    expect(status, stderr).toBe(0);
    expect(stdout.endsWith("}\n")).toBe(true);
    expect(stdout.trim()).not.toContain("\n");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      programs: 12,
      seed: 7,
      arch: "sm_90",
      done: 12,
      compiled: 12,
      failed: 0,
      interrupted: false,
    });
    expect(report.checks.run).toEqual({ on: "emulator", ran: 12, agreed: 12, problems: [] });
    expect(report.checks.elf).toEqual({ passed: 12, total: report.distinctStubs, problems: [] });
    if ("compared" in report.checks.ptxas)
      expect(report.checks.ptxas).toMatchObject({ compared: 8, equal: 8 });
    expect(report.liveInstructions.median).toBeGreaterThanOrEqual(20);

    const records = lines(out);
    expect(records.map(({ index }) => index)).toEqual([...Array(12).keys()]);
    for (const [index, record] of records.entries()) {
      expect(Object.keys(record)).toEqual([
        "index",
        "program",
        "stub",
        "registers",
        "spills",
        "cubinBytes",
        "cubinSha256",
        "milliseconds",
        "ran",
        "agrees",
      ]);
      expect(record).toMatchObject({ ran: "emulator", agrees: true });
      expect(record.program).toMatch(/^(?:[0-9a-f]{16})+$/);
      const stem = join(out, `${index}`.padStart(5, "0"));
      const cubin = readFileSync(`${stem}.cubin`);
      expect(createHash("sha256").update(cubin).digest("hex")).toBe(record.cubinSha256);
      expect(cubin.length).toBe(record.cubinBytes);
      expect(readCubin(cubin)).toMatchObject({ arch: "sm_90", entries: ["evaluate"] });
      expect(readFileSync(`${stem}.ptx`, "utf8")).toContain(`${record.stub}\n`);
    }
    expect(readFileSync(join(out, "report.svg"), "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(leftovers(out)).toEqual([]);
  });

  it("writes the same for the same seed, whatever the number of workers", async () => {
    const [a, b, other] = [folder(), folder(), folder()];
    await run(["--programs", PROGRAMS, "--keep", "--no-cache", "--workers", "1", "--out", a]);
    await run(["--programs", PROGRAMS, "--keep", "--no-cache", "--workers", "3", "--out", b]);
    await run(["--programs", PROGRAMS, "--seed", "2", "--out", other]);
    const timeless = (out: string) => lines(out).map((record) => omitted(record, "milliseconds"));
    expect(timeless(b)).toEqual(timeless(a));
    expect(numbered(b)).toEqual(numbered(a));
    for (const name of numbered(a))
      expect(readFileSync(join(b, name)).equals(readFileSync(join(a, name)))).toBe(true);
    expect(timeless(other)).not.toEqual(timeless(a));
  });

  it("compiles as packs what it compiled alone, unless told not to, and compares their rates", async () => {
    const args = ["--programs", "3", "--no-cache"];
    const packed = (await run([...args, "--pack", "2", "--out", folder()])).stdout;
    expect(packed).toMatch(/compiles a second\n +alone, full effort +\d.*\n +packed, drafted +\d/);
    expect(packed).toMatch(/draft +\S+ .?s/);
    const alone = (await run([...args, "--pack", "none", "--out", folder()])).stdout;
    expect(alone).toMatch(/compiles a second\n +alone, full effort +\d/);
    expect(alone).not.toMatch(/draft/);
    for (const stdout of [packed, alone]) expect(stdout).toMatch(/3 of 3 with the reference/);
  });

  it("takes from the cache what an earlier run compiled, says so, and writes the same", () => {
    const cache = { MM_PTX_CACHE_DIR: folder() };
    const count = Number(PROGRAMS);
    const outs = [folder(), folder(), folder()];
    const [cold, warm, without] = outs.map((out, i) => {
      const args = ["--programs", PROGRAMS, "--seed", "5", "--keep", "--json", "--out", out];
      return JSON.parse(runAlone(i === 2 ? [...args, "--no-cache"] : args, cache).stdout);
    });
    const origins = (compiled: number, cache: number) => ({ compiled, cache, duplicate: 0 });
    expect(cold).toMatchObject({ compiled: count, origins: origins(count, 0) });
    expect(warm).toMatchObject({ compiled: count, origins: origins(0, count) });
    expect(warm).toMatchObject({ compilesPerSecond: 0, draftsPerSecond: 0 });
    expect(cold.draftsPerSecond).toBeGreaterThan(0);
    expect(warm.checks.elf).toEqual({ passed: count, total: count, problems: [] });
    expect(without).toMatchObject({ compiled: count, origins: origins(count, 0) });

    const [first, ...others] = outs.map((out) => lines(out).map((record) => omitted(record, "milliseconds")));
    for (const other of others) expect(other).toEqual(first);
    expect(lines(outs[1]!).map(({ milliseconds }) => milliseconds)).toEqual(Array(count).fill(0));
    for (const name of numbered(outs[0]!))
      expect(readFileSync(join(outs[1]!, name)).equals(readFileSync(join(outs[0]!, name)))).toBe(true);
  });

  it("keeps nothing if told not to", () => {
    const cache = folder();
    const { status } = runAlone(["--programs", "2", "--run", "none", "--no-cache", "--out", folder()], {
      MM_PTX_CACHE_DIR: cache,
    });
    expect(status).toBe(0);
    expect(existsSync(cache)).toBe(false);
  });

  it.each([
    [
      "fails",
      "echo 'no host compiler' >&2; exit 1",
      /nvcc 99\.9\.9 made no usable PTX \(.*: no host compiler\); the committed PTX is used/,
    ],
    ["writes no PTX", "exit 0", /made no usable PTX \(.*\); the committed PTX is used/],
    [
      "is newer than the compiler",
      `for last; do :; done; sed 's/^.version 9.0/.version 9.9/' '${KERNEL_PTX}' > "$last"`,
      /writes PTX 9.9, newer than the compiler may know; the committed PTX is used/,
    ],
  ])("continues with the committed PTX if nvcc %s", (_, body, sentence) => {
    const [tools, out] = [folder(), folder()];
    script(tools, "nvcc", `[ "$1" = --version ] && echo 'release 99.9, V99.9.9' && exit 0\n${body}`);
    const { status, stderr } = runAlone(["--programs", "2", "--run", "none", "--out", out], {
      PATH: `${tools}:/bin:/usr/bin`,
    });
    expect(stderr).toMatch(sentence);
    expect(status).toBe(0);
    expect(readFileSync(join(out, "annotated.ptx"), "utf8")).toBe(readFileSync(KERNEL_PTX, "utf8"));
  });

  it("has the committed PTX of the committed kernel.cu", () => {
    const source = readFileSync(join(ROOT, "apps/quickstart/kernel.cu"));
    const hash = createHash("sha256").update(source).digest("hex");
    // After a change in kernel.cu, compile kernel.ptx again and write the new hash to this file.
    expect(readFileSync(join(ROOT, "apps/quickstart/src/kernel.ts"), "utf8")).toContain(
      `const COMMITTED_SOURCE = "${hash}";`,
    );
  });

  it("uses the output of nvcc, and says so", () => {
    const [tools, out] = [folder(), folder()];
    script(
      tools,
      "nvcc",
      `[ "$1" = --version ] && echo 'V13.0.99' && exit 0\nfor last; do :; done; sed 's/^.version 9.0/.version 8.9/' '${KERNEL_PTX}' > "$last"`,
    );
    const { stdout } = runAlone(["--programs", "2", "--run", "none", "--json", "--out", out], {
      PATH: `${tools}:/bin:/usr/bin`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ kernel: "made anew by nvcc 13.0.99" });
    expect(readFileSync(join(out, "annotated.ptx"), "utf8")).toContain(".version 8.9");
  });

  it("does not compare with a ptxas of another version, and fails if machine code differs", () => {
    const tools = folder();
    const args = ["--programs", "3", "--run", "none", "--json", "--out", folder()];
    script(tools, "ptxas", "echo 'V1.2.3'");
    const other = runAlone(args, { PATH: `${tools}:/bin:/usr/bin` });
    const { compilerVersion } = capabilities();
    expect(JSON.parse(other.stdout).checks.ptxas).toEqual({
      skipped: `ptxas is 1.2.3, the compiler is ${compilerVersion}`,
    });
    expect(other.status).toBe(0);

    script(
      tools,
      "ptxas",
      `[ "$1" = --version ] && echo 'V${compilerVersion}' && exit 0\necho broken; exit 3`,
    );
    const broken = runAlone(args, { PATH: `${tools}:/bin:/usr/bin` });
    expect(JSON.parse(broken.stdout).checks.ptxas).toMatchObject({ compared: 3, equal: 0 });
    expect(broken.status).toBe(1);
  });

  it("removes what an earlier run left, and leaves everything else alone", async () => {
    const out = folder();
    mkdirSync(out);
    for (const name of ["00099.ptx", "notes.txt"]) writeFileSync(join(out, name), "mine");
    await run(["--programs", "6", "--keep", "--out", out]);
    expect(numbered(out)).toHaveLength(13);
    await run(["--programs", "2", "--keep", "--out", out]);
    expect(numbered(out)).toEqual(["00000.cubin", "00000.ptx", "00001.cubin", "00001.ptx", "00099.ptx"]);
    await run(["--programs", "2", "--out", out]);
    expect(numbered(out)).toEqual(["00099.ptx"]);
    for (const name of ["00099.ptx", "notes.txt"]) expect(readFileSync(join(out, name), "utf8")).toBe("mine");
  });

  it("prints a table without colours if there is no terminal", async () => {
    const { status, stdout, stderr } = await run(["--programs", "3", "--arch", "sm_75", "--out", folder()]);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("3 programs, sm_75, seed 1");
    for (const row of [
      /compiled\s+3/,
      /in this run\s+[0-3]\n/,
      /from cache\s+[0-3]\n/,
      /duplicates\s+0\n/,
      /programs a second\s+\d/,
      /stub\s+\S+ .?s/,
      /registers\s+\d/,
      /cubin bytes\s+\d/,
      /failures\s+none/,
      /3 of 3/,
    ]) {
      expect(stdout).toMatch(row);
    }
    expect(stdout + stderr).not.toContain("\x1b");
  });
});
