// How `ptxinject` writes: it renames, keeps modes and links, and leaves whole files however it ends.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { annotateCuda } from "../../src/annotated-cuda.js";
import { CommandLine, KERNEL } from "../support/command-line.js";

const MADE = annotateCuda(KERNEL).text;

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
  line.write("a.cu", KERNEL);
});
afterEach(() => line.remove());

/** A kernel that takes a moment to write. */
const long = (word: string) => `${KERNEL}${`// ${word} ${"x".repeat(90)}\n`.repeat(20_000)}`;

describe("writing", () => {
  it("keeps the mode of a file, and links", async () => {
    line.write("real/made.cu", "old");
    chmodSync(line.path("real/made.cu"), 0o640);
    symlinkSync("real/made.cu", line.path("made.cu"));
    expect((await line.run(["a.cu", "-o", "made.cu"])).stdout).toBe("written made.cu\n");
    expect(lstatSync(line.path("made.cu")).isSymbolicLink()).toBe(true);
    expect(line.read("real/made.cu")).toBe(MADE);
    expect(statSync(line.path("real/made.cu")).mode & 0o777).toBe(0o640);
    expect(readdirSync(line.path("real"))).toEqual(["made.cu"]);
  });

  it("keeps a link to a file that does not exist yet", async () => {
    symlinkSync("later/made.cu", line.path("made.cu"));
    expect((await line.run(["a.cu", "-o", "made.cu"])).stdout).toBe("written made.cu\n");
    expect(lstatSync(line.path("made.cu")).isSymbolicLink()).toBe(true);
    expect(line.read("later/made.cu")).toBe(MADE);
  });

  it("writes to devices and pipes", async () => {
    if (process.platform === "win32") return;
    expect((await line.run(["a.cu", "-o", "/dev/null"])).code).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("reports that standard output cannot be written", () => {
    if (process.platform !== "linux") return;
    const full = openSync("/dev/full", "w");
    try {
      const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
      const { status, stderr } = spawnSync(process.execPath, [main, line.path("a.cu")], {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      expect(stderr).toBe(
        "error: expected a writable standard output, found one that cannot be written: no room on the disk\n",
      );
      expect(status).toBe(1);
    } finally {
      closeSync(full);
    }
  });

  it("says why it fails, and leaves no partial file", async () => {
    line.write("file", "");
    line.write("taken/a.cu/x", "");
    const cases = {
      "file/made.cu": "expected a file to write, found `file/made.cu`: a part of its path is not a folder",
      "taken/": "expected a file to write, found `taken/a.cu`: a folder",
    };
    for (const [out, message] of Object.entries(cases)) {
      const stderr = `a.cu: error: ${message}\n`;
      expect(await line.run(["a.cu", "-o", out])).toEqual({ code: 1, stdout: "", stderr });
    }
    if (process.platform === "linux") {
      expect((await line.run(["a.cu", "-o", "/proc/x/y.cu"])).stderr).toMatch(
        /^a\.cu: error: expected a file to write/,
      );
      // A full disk.
      const full = await line.run(["a.cu", "-o", "/dev/full"]);
      expect(full.stderr).toBe(
        "a.cu: error: expected a file to write, found `/dev/full`: no room on the disk\n",
      );
    }
    expect(readdirSync(line.folder).sort()).toEqual(["a.cu", "file", "taken"]);
  });
});

describe("outputs are whole", () => {
  it("for a reader that has the old one open", async () => {
    line.write("made.cu", "old");
    const old = openSync(line.path("made.cu"), "r");
    expect((await line.run(["a.cu", "-o", "made.cu"])).code).toBe(0);
    expect(readFileSync(old, "utf8")).toBe("old");
    closeSync(old);
  });

  it("when two programs write the same file at once", async () => {
    const [one, other] = [long("one"), long("other")];
    line.write("one/k.cu", one);
    line.write("other/k.cu", other);
    const texts = [one, other].map((text) => annotateCuda(text).text);
    for (let i = 0; i < (SOAK ? 5 : 2); i++) {
      const words = ["one", "other"].map((folder) => [`${folder}/k.cu`, "-o", "out/"]);
      const ended = await Promise.all(words.map((each) => line.runAlone(each)));
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      expect(texts).toContain(line.read("out/k.cu"));
    }
    expect(readdirSync(line.path("out"))).toEqual(["k.cu"]);
  });

  it("when the program is killed while it writes", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `k${i}.cu`);
    const text = { old: long("old"), new: long("new") };
    for (const name of names) line.write(`in/${name}`, text.old);
    await line.run(["in/*.cu", "-o", "out/"]);
    for (const name of names) line.write(`in/${name}`, text.new);
    const whole = [text.old, text.new].map((each) => annotateCuda(each).text);
    let killed = 0;
    for (let delay = 100; delay < 400; delay += 75) {
      const child = line.start(["in/*.cu", "-o", "out/"]);
      const closed = once(child, "close");
      await pause(delay);
      child.kill("SIGKILL");
      const [, signal] = await closed;
      if (signal === "SIGKILL") killed++;
      for (const name of names) expect(whole.includes(line.read(`out/${name}`)), name).toBe(true);
    }
    expect(killed).toBeGreaterThan(0);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("when it gets %s, and nothing is left beside them", async (signal, code) => {
    const names = Array.from({ length: 60 }, (_, i) => `k${i}.cu`);
    for (const name of names) line.write(`in/${name}`, long(name));
    const child = line.start(["in/*.cu", "-o", "out/"]);
    const closed = once(child, "close");
    while (!existsIn(line, "out", "k0.cu")) await pause(5);
    child.kill(signal);
    expect((await closed)[0]).toBe(code);
    const there = readdirSync(line.path("out"));
    expect(there.filter((name) => !names.includes(name))).toEqual([]);
    expect(there.length).toBeLessThan(names.length);
    for (const name of there) expect(line.read(`out/${name}`)).toBe(annotateCuda(long(name)).text);
  });
});

function existsIn({ folder }: CommandLine, below: string, name: string): boolean {
  return readdirSync(folder).includes(below) && readdirSync(`${folder}/${below}`).includes(name);
}
