// How nvcc 13.0 compiles sites of 0.x, written by hand like the output of mm-ptx 0.x: what is read from its
// PTX, and that the kernel has the same machine code as with sites of 1.1.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { assemble, BACKENDS } from "../../../../tests/support/assemble.js";
import { HAS_NVCC, toolVersion } from "../../../../tests/support/nvcc.js";
import { diffMachineCode } from "../../../cuda/dist/index.js";
import { type AnnotatedPtx, parsePtx } from "../../src/index.js";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const FORMS = { "legacy.golden.ptx": [], "legacy-1x.golden.ptx": ["-DSITES_1X"] };
const UPDATE = process.env.UPDATE_GOLDENS === "1";
const golden = (name: keyof typeof FORMS) => readFileSync(fixture(name), "utf8");

function nvcc(options: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-legacy-"));
  try {
    const out = join(folder, "out.ptx");
    const include = fileURLToPath(new URL("../../include", import.meta.url));
    execFileSync("nvcc", [
      "-arch=compute_75",
      "-ptx",
      "-I",
      include,
      ...options,
      fixture("legacy.cu"),
      "-o",
      out,
    ]);
    return readFileSync(out, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.runIf(HAS_NVCC).each(Object.entries(FORMS))("nvcc writes %s", { timeout: 120_000 }, (name, options) => {
  const ptx = nvcc(options);
  if (UPDATE) writeFileSync(fixture(name), ptx);
  const kept = golden(name as keyof typeof FORMS);
  if (toolVersion(ptx) === toolVersion(kept)) expect(ptx).toBe(kept);
});

test("sites of 0.x equal those of 1.1 except for the words of types and the constant's name", () => {
  const [old, current] = [parsePtx(golden("legacy.golden.ptx")), parsePtx(golden("legacy-1x.golden.ptx"))];
  const shape = ({ injections }: AnnotatedPtx) =>
    injections.map(({ name, operands, sites }) => ({
      name,
      operands: operands.map(({ name: own, type, ...rest }) => ({ ...rest, type: type.toUpperCase() })),
      sites: sites.map(({ functionName }) => functionName),
    }));
  expect(shape(old)).toEqual(shape(current));
  expect(old.injection("step").operands.map(({ name }) => name)).toEqual(["total[k & 1]", "k", "7"]);
});

test("its registers and constants belong to the kernel", () => {
  const annotated = parsePtx(golden("legacy.golden.ptx"));
  const moved = annotated.injection("step").sites.map(({ values }) => values.map(({ movedIn }) => movedIn));
  expect(new Set(moved.map(([total]) => total)).size).toBe(2);
  expect(new Set(moved.map(([, k]) => k)).size).toBe(4);
  expect(moved.map(([, , seven]) => seven)).toEqual(["7", "7", "7", "7"]);
  for (const { movedIn } of annotated.injection("func").sites[0]!.values) {
    expect(movedIn ?? "%f").toMatch(/^%f/);
  }
});

const STUBS: Record<string, Record<string, string>> = {
  "stubs that copy nothing": { func: "", halves: "", step: "" },
  "stubs that use every operand": {
    func: "\tfma.rn.f32 %_x1, %_x0, %_x2, %_x2;\n\tadd.f32 %_x0, %_x1, %_x2;",
    halves:
      "\t{\n\t.reg .b32 %both;\n\tmov.b32 %both, {%_x2, %_x2};\n\tadd.f16x2 %_x0, %_x0, %both;\n" +
      "\tadd.f16 %_x1, %_x2, %_x2;\n\t}",
    step: "\tmad.lo.s32 %_x0, %_x0, %_x2, %_x1;",
  },
};

describe.runIf(BACKENDS.length > 0).each(Object.entries(STUBS))("%s", (what, stubs) => {
  test.each(["sm_80", "sm_90", "sm_120"])("are the same machine code in both forms on %s", async (arch) => {
    const modules = (Object.keys(FORMS) as (keyof typeof FORMS)[]).map((name) => ({
      what: name,
      ptx: parsePtx(golden(name)).render(stubs),
    }));
    const { cubins, failures } = await assemble(modules, arch, BACKENDS[0]!);
    expect(failures, what).toEqual([]);
    const [old, current] = modules.map(({ what: name }) => cubins.get(name)!);
    expect(diffMachineCode(old!, current!)).toEqual([]);
  });
});
