// The lines of a program that allocate memory, in findings about that memory.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { colorsOf } from "../../src/cli/framework.js";
import { run } from "../../src/cli/run.js";
import type { HostFrame } from "../../src/run/finding.js";

const HERE = import.meta.dirname;
const LIBRARY = join(HERE, `../../npm/${process.platform}-${process.arch}/libcudart.so.13`);
const HAS_LIBRARY = existsSync(LIBRARY) && spawnSync("cc", ["--version"]).status === 0;
const NO_COLORS = colorsOf(process.stderr, { NO_COLOR: "1" });
const HAS_TOOL = spawnSync("addr2line", ["--version"]).status === 0;

interface Found {
  readonly at?: { readonly file: string; readonly line: number };
  readonly allocation: { readonly madeAt: readonly HostFrame[] };
}

describe.runIf(HAS_LIBRARY)("lines of the host", () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-lines-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const leaksOf = async (...words: readonly string[]) => {
    const program = join(folder, "leaks");
    const { status, stderr } = spawnSync("cc", [...words, "-o", program, join(HERE, "leaks.c"), LIBRARY]);
    expect(`${stderr}`).toBe("");
    expect(status).toBe(0);
    const outcome = await run(program, [], {
      engine: "auto",
      memory: 2 ** 26,
      check: { leaks: true },
      json: true,
    });
    const { findings } = outcome.json!() as { findings: { findings: readonly Found[] } };
    return { found: findings.findings, text: outcome.complaints?.(NO_COLORS) ?? "" };
  };

  it.runIf(HAS_TOOL).each(["-pie", "-no-pie"])("are those outside of CUDA's headers (%s)", async (kind) => {
    const { found, text } = await leaksOf("-g", "-O0", kind === "-pie" ? "-fPIE" : "-fno-pie", kind);
    const places = found.map(({ allocation }) =>
      allocation.madeAt.map(({ line, function: name }) => [line, name]),
    );
    expect(places).toEqual([
      [
        [14, "make"],
        [19, "main"],
      ],
      [
        [14, "make"],
        [20, "main"],
      ],
      [[21, "main"]],
    ]);
    expect(found[0]?.at).toMatchObject({ file: expect.stringMatching(/leaks\.c$/), line: 14 });
    expect(text).toMatch(/leaks\.c:14: error: leak/);
    expect(text).not.toContain("nvcc -g");
  });

  it.runIf(HAS_TOOL)("are those of inlined functions, too", async () => {
    const { found } = await leaksOf("-g", "-O2");
    const lines = found.map(({ allocation }) => allocation.madeAt.map(({ line }) => line));
    expect(lines).toEqual([[14, 19], [14, 20], [21]]);
  });

  it.runIf(HAS_TOOL)("are named by function and file without debug information", async () => {
    const { found, text } = await leaksOf("-g0", "-O0");
    // Nothing tells here that the first function is in a header.
    expect(found[0]?.allocation.madeAt.map((frame) => frame.function)).toEqual(["allocate", "make", "main"]);
    expect(text).toMatch(/was allocated at \S*leaks\+0x[0-9a-f]+ in allocate, called at/);
    expect(text.match(/compile with `nvcc -g`/g)).toHaveLength(1);
  });

  it("are offsets without binutils", async () => {
    const before = process.env.PATH;
    try {
      const built = leaksOf("-g");
      // The compiler has run by now.
      process.env.PATH = "";
      const { text } = await built;
      expect(text).toMatch(/was allocated at \S*leaks\+0x[0-9a-f]+, called at/);
      expect(text.match(/install binutils/g)).toHaveLength(1);
    } finally {
      process.env.PATH = before;
    }
  });
});
