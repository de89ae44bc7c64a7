// Quotients and remainders of 128-bit integers, for which nvcc generates code that adds with carry after it subtracted. The
// judge is BigInt and, in a soak, also a C++ program that the test compiles.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import { Translator } from "../../src/wasm/index.js";
import { launch } from "../support/launching.js";
import { divided, divisionPairs, toWords } from "../support/wide-division.js";

const COUNT = smoke(100_000);
const pairs = divisionPairs(COUNT, 1000);
const expected = toWords(pairs.flatMap(divided));

/** The first pairs whose results are not the expected ones. */
function differences(found: BigUint64Array): readonly string[] {
  const wrong: string[] = [];
  for (let i = 0; i < found.length / 8 && wrong.length < 5; i++) {
    const [own, wanted] = [found, expected].map((words) => words.slice(8 * i, 8 * i + 8).join(" "));
    if (own !== wanted) wrong.push(`${pairs[i]!.join(" / ")}: expected ${wanted}, found ${own}`);
  }
  return wrong;
}

const wordsOf = (bytes: Uint8Array) => new BigUint64Array(bytes.slice().buffer as ArrayBuffer);

describe("128-bit quotients and remainders", () => {
  it.each([
    ["the interpreter", () => new Interpreter(), smoke(100_000)],
    ["WebAssembly", () => new Translator(), COUNT],
  ] as const)("of %s are those of BigInt", async (_, engine, count) => {
    const kernel = new URL("../kernels/wide-division/kernel.ptx", import.meta.url);
    const { buffers } = await launch(engine(), {
      ptx: readFileSync(kernel, "utf8"),
      grid: [Math.ceil(count / 128), 1, 1],
      block: [128, 1, 1],
      args: [
        { buffer: toWords(pairs.flat()) },
        { buffer: new BigUint64Array(8 * count) },
        { value: Uint32Array.of(count) },
      ],
    });
    expect(differences(wordsOf(buffers[1]!))).toEqual([]);
  });

  it.skipIf(!SOAK || spawnSync("g++", ["--version"]).status !== 0)("of g++ are those of BigInt", () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-division-"));
    try {
      const source = fileURLToPath(new URL("wide-division.cpp", import.meta.url));
      const program = join(folder, "wide-division");
      expect(spawnSync("g++", ["-std=c++17", "-O1", "-o", program, source]).stderr.toString()).toBe("");
      const { stdout } = spawnSync(program, { input: toWords(pairs.flat()), maxBuffer: 2 ** 28 });
      expect(stdout.length).toBe(64 * COUNT);
      expect(differences(wordsOf(stdout))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
