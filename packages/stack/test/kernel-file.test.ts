// The Stack PTX part of kernel files: compilers, jobs and programs, and what is refused.
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { describe, expect, it } from "vitest";
import { StackCompiler, StackProgram, stackFromKernelFile } from "../src/index.js";
import { BASE_TABLE, FILE_TABLE, OTHER_TABLE } from "./support/files.js";
import { F32, NEG, thrownBy } from "./support/small-table.js";

const program = Uint32Array.of(3, 0, 7, 0);
const routine = Uint32Array.of(1, NEG, 10, 0);
const job = { registers: [{ name: "x", stackIndex: F32 }], requests: [0], executionLimit: 10 };
const fileOf = (stack: object, rest: object = {}): KernelFile => ({
  ptx: "",
  stack: { table: FILE_TABLE, jobs: [{ site: "func", job, programs: [program] }], ...stack },
  ...rest,
});

describe("stackFromKernelFile", () => {
  it("makes what compiles the programs", () => {
    const file = fileOf({ routines: [routine], limits: { stackSize: 4 }, requestCopies: "sequential" });
    const { table, options, jobs } = stackFromKernelFile(file)!;
    expect(options).toMatchObject({ limits: { stackSize: 4 }, requestCopies: "sequential" });
    const compiler = new StackCompiler(table, options);
    expect(jobs.map(({ site }) => site)).toEqual(["func"]);
    const [{ programs, job: compileJob }] = jobs as [(typeof jobs)[number]];
    expect(programs[0]!.equals(StackProgram.fromWords(program))).toBe(true);
    expect(compiler.compile(programs[0]!, compileJob)).toBe(
      "\t{\n\t.reg .f32 %_s0_<1>;\n\tneg.f32 %_s0_0, %x;\n\tmov.f32 %x, %_s0_0;\n\t}",
    );
  });

  it("finds the table of a fingerprint, or one that extends it", () => {
    const { fingerprint } = BASE_TABLE;
    expect(stackFromKernelFile(fileOf({ table: fingerprint }), [OTHER_TABLE, BASE_TABLE])!.table).toBe(
      BASE_TABLE,
    );
    expect(stackFromKernelFile(fileOf({ table: fingerprint }), [OTHER_TABLE, FILE_TABLE])!.table).toBe(
      FILE_TABLE,
    );
    const error = thrownBy(() => stackFromKernelFile(fileOf({ table: fingerprint }), [OTHER_TABLE]));
    expect(error.code).toBe("FILE_TABLE");
    expect(error.message).toBe(
      `expected the table ${fingerprint} or one that extends it, found 1 other table`,
    );
  });

  it("returns nothing for a file without Stack PTX", () => {
    expect(stackFromKernelFile({ ptx: "" })).toBe(undefined);
  });

  it.each<[string, unknown, string]>([
    [
      "a program of 1.0",
      fileOf({ jobs: [{ site: "f", job, programs: [Uint32Array.of(9, 0)] }] }),
      "LEGACY_PROGRAM",
    ],
    ["a routine of 1.0", fileOf({ routines: [Uint32Array.of(9, 0)] }), "LEGACY_PROGRAM"],
    [
      "a request of no register",
      fileOf({ jobs: [{ site: "f", job: { ...job, requests: [1] }, programs: [] }] }),
      "INVALID_ARGUMENT",
    ],
    [
      "an invalid register",
      fileOf({
        jobs: [{ site: "f", job: { registers: [{ name: "%", stackIndex: 0 }], requests: [] }, programs: [] }],
      }),
      "INVALID_ARGUMENT",
    ],
    ["no file", undefined, "INVALID_ARGUMENT"],
    ["jobs that are no list", fileOf({ jobs: 5 }), "INVALID_ARGUMENT"],
    ["a site without a job", fileOf({ jobs: [{ site: "f", programs: [] }] }), "INVALID_ARGUMENT"],
  ])("refuses %s", (_, file, code) => {
    expect(thrownBy(() => stackFromKernelFile(file as KernelFile)).code).toBe(code);
  });

  it("refuses values that are not tables", () => {
    expect(thrownBy(() => stackFromKernelFile(fileOf({}), {} as never)).code).toBe("INVALID_ARGUMENT");
    expect(thrownBy(() => stackFromKernelFile(fileOf({}), [{}] as never)).code).toBe("INVALID_ARGUMENT");
  });
});
