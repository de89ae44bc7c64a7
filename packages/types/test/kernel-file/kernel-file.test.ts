// Kernel files: reading returns what was written, and nothing wrong is written.

import { describe, expect, it } from "vitest";
import {
  type KernelFile,
  KernelFileError,
  readKernelFile,
  type StackPart,
  writeKernelFile,
} from "../../src/kernel-file/index.js";
import { astTable, FULL, injectTypes, stackTable, words } from "../support/kernel-files.js";

function complaint(value: unknown): string {
  try {
    writeKernelFile(value as KernelFile);
  } catch (error) {
    expect(error).toBeInstanceOf(KernelFileError);
    return `${(error as KernelFileError).code}: ${(error as KernelFileError).message}`;
  }
  return expect.unreachable("expected an error");
}

describe("a kernel file", () => {
  it("returns everything that was written", () => {
    expect(readKernelFile(writeKernelFile(FULL))).toEqual(FULL);
  });

  it.each<[string, KernelFile]>([
    ["PTX alone", { ptx: "" }],
    ["a part without jobs", { ptx: "x", ast: { table: astTable, jobs: [] } }],
    [
      "tables as fingerprints",
      { ptx: "x", types: injectTypes.fingerprint, stack: { table: stackTable.fingerprint, jobs: [] } },
    ],
  ])("may have %s", (_, value) => {
    expect(readKernelFile(writeKernelFile(value))).toEqual(value);
  });

  it("has the same bytes for the same value", () => {
    expect(writeKernelFile(structuredClone(FULL))).toEqual(writeKernelFile(FULL));
    expect(writeKernelFile(readKernelFile(writeKernelFile(FULL)))).toEqual(writeKernelFile(FULL));
  });

  it("is read at any place of a buffer, with programs that are views where possible", () => {
    const bytes = writeKernelFile(FULL);
    for (const start of [0, 1, 2, 3, 4]) {
      const buffer = new Uint8Array(start + bytes.length + 5);
      buffer.set(bytes, start);
      const part = buffer.subarray(start, start + bytes.length);
      const file = readKernelFile(part);
      expect(file).toEqual(FULL);
      expect(file.stack!.jobs[0]!.programs[0]!.buffer === buffer.buffer).toBe(start % 4 === 0);
    }
  });

  it("is frozen, except for the words", () => {
    const { stack, types } = readKernelFile(writeKernelFile(FULL));
    const { table, jobs } = stack as StackPart & { table: typeof stackTable };
    for (const frozen of [
      stack,
      types,
      table.stackTypes[0],
      jobs,
      jobs[0],
      jobs[0]!.job.registers[0],
      jobs[0]!.programs,
    ]) {
      expect(Object.isFrozen(frozen)).toBe(true);
    }
  });
});

describe("writeKernelFile", () => {
  const stack = (part: object): unknown => ({ ptx: "", stack: { table: stackTable, jobs: [], ...part } });
  const job = (part: object): unknown =>
    stack({ jobs: [{ site: "f", job: { registers: [], requests: [] }, programs: [], ...part }] });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "expected a kernel file, found undefined"],
    ["no PTX", {}, "option `ptx`: expected a string, found undefined"],
    [
      "a lone surrogate",
      { ptx: "a\ud800b" },
      "expected `ptx` as text that UTF-8 can hold, found a lone surrogate",
    ],
    ["an unknown property", { ptx: "", archs: "" }, "unknown property `archs`, did you mean `arch`?"],
    [
      "another kind of table",
      stack({ table: astTable }),
      "option `stack.table.kind`: expected `stack`, found `ast`",
    ],
    ["no table", stack({ table: {} }), "option `stack.table`: expected a table, found an object"],
    [
      "no fingerprint",
      stack({ table: "x" }),
      "option `stack.table`: expected a fingerprint of 64 hex digits, found `x`",
    ],
    [
      "a table that was changed",
      stack({ table: { ...stackTable, specialRegisters: [] } }),
      "option `stack.table.fingerprint`: expected ",
    ],
    [
      "a limit that is no number",
      stack({ limits: { stackSize: "7" } }),
      "option `stack.limits.stackSize`: expected a number of at least 0, found `7`",
    ],
    [
      "half an instruction",
      job({ programs: [words(1)] }),
      "option `stack.jobs[0].programs[0]`: expected two words per instruction, found 1 words",
    ],
    [
      "a list as program",
      job({ programs: [[1, 0]] }),
      "option `stack.jobs[0].programs[0]`: expected a Uint32Array, found",
    ],
    ["no site", job({ site: undefined }), "option `stack.jobs[0].site`: expected a string, found undefined"],
    [
      "a job without requests",
      job({ job: { registers: [] } }),
      "option `stack.jobs[0].job.requests`: expected a list, found undefined",
    ],
    [
      "a register without a name",
      job({ job: { registers: [{ stackIndex: 0 }], requests: [] } }),
      "option `stack.jobs[0].job.registers[0].name`: expected a string, found undefined",
    ],
  ])("refuses %s", (_, value, message) => {
    expect(complaint(value)).toContain(`INVALID_ARGUMENT: ${message}`);
  });

  it("refuses objects that throw", () => {
    const value = {
      ptx: "",
      get stack(): never {
        throw new Error("no");
      },
    };
    expect(complaint(value)).toContain("INVALID_ARGUMENT");
  });
});
