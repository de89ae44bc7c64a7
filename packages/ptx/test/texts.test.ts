// Every PTX text of the repository, and fresh output of nvcc, is understood as a whole and printed back byte
// for byte.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PtxModule, readModule } from "../src/index.js";
import { expectSound } from "./support/invariants.js";
import { TEXTS } from "./support/texts.js";

/** Nothing is wrong in the text, nothing is unknown, and every name is declared. */
function expectUnderstood(text: string): PtxModule {
  const module = readModule(text);
  expectSound(module);
  for (let statement = 0; statement < module.statements.count; statement++) {
    expect(["empty", "unknown"]).not.toContain(module.statements.kind(statement));
  }
  expect(module.names.undeclared).toEqual([]);
  return module;
}

test("there are enough texts", () => {
  expect(TEXTS.length).toBeGreaterThan(100);
});

test.each(TEXTS)("$name is understood", ({ text, isDamaged }) => {
  if (isDamaged) expectSound(readModule(text, { tolerant: true }));
  else expectUnderstood(text);
});

describe.skipIf(spawnSync("nvcc", ["--version"]).status !== 0)("PTX that nvcc writes", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ptx-texts-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["-arch=sm_75"],
    ["-arch=sm_90", "-G"],
    ["-arch=sm_100a", "-lineinfo", "-rdc=true"],
    ["-arch=sm_120", "-O1"],
  ])("with %s %s %s is understood", { timeout: 120_000 }, (...options) => {
    const source = fileURLToPath(new URL("./fixtures/features.cu", import.meta.url));
    const made = join(folder, "made.ptx");
    const run = spawnSync("nvcc", [...options, "-std=c++17", "-ptx", "-o", made, source], {
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    const module = expectUnderstood(readFileSync(made, "utf8"));
    expect(
      module.entries.map(({ name, parameters: params }) => [name, params.map(({ bytes: size }) => size)]),
    ).toEqual([
      ["everything", [8, 8, 32, 8, 4]],
      ["_Z7doubledIfEvPT_", [8]],
      ["_Z7doubledI6__halfEvPT_", [8]],
      ["_Z7doubledIdEvPT_", [8]],
    ]);
    expect(module.sections.length > 0).toBe(options.includes("-G") || options.includes("-lineinfo"));
    const called = module.names.uses.filter(({ declaration }) => declaration?.kind === "function");
    expect(new Set(called.map(({ name }) => name))).toContain("vprintf");
  });
});
