// The PTX of kernel files: sites of 1.1 and 0.x, their types, and what is refused.
import type { InjectTypes } from "@mm-ptx/types/core";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { describe, expect, it } from "vitest";
import { types } from "../src/generated/default.js";
import { PtxInjectError, ptxFromKernelFile } from "../src/index.js";

const ptx = "\t// PTX_INJECT_START func\n\t// _x0 o f32 F32 z\n\t// PTX_INJECT_END\n";
const old = "\t// PTX_INJECT_START func\n\t// %f1 out dog z\n\t// PTX_INJECT_END\n";
const dog: InjectTypes = {
  kind: "inject",
  fingerprint: "d".repeat(64),
  bases: [],
  types: [{ name: "dog", registerType: "f32", movPostfix: "f32", registerChar: "f", registerCast: "" }],
};
const stackJobs = (site: string): Pick<KernelFile, "stack"> => ({
  stack: { table: "0".repeat(64), jobs: [{ site, job: { registers: [], requests: [] }, programs: [] }] },
});
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(PtxInjectError);
    return (error as PtxInjectError).code;
  }
  return expect.unreachable("expected an error");
};

describe("ptxFromKernelFile", () => {
  it("parses the PTX", () => {
    const annotated = ptxFromKernelFile({ ptx, ...stackJobs("func") });
    expect(annotated.injection("func").operand("z").register).toBe("_x0");
    expect(annotated.render({ func: "\t{}" })).toBe("\t{}\n");
  });

  it("parses sites of 0.x with the types and the prefix of the file", () => {
    for (const [file, given] of [
      [{ ptx: old, types: dog, registerPrefix: "z" }, []],
      [{ ptx: old, types: dog.fingerprint, registerPrefix: "z" }, [types, dog]],
    ] as const) {
      expect(ptxFromKernelFile(file, given).injection("func").operand("z").register).toBe("z0");
    }
    expect(ptxFromKernelFile({ ptx, types: types.fingerprint }).injections).toHaveLength(1);
  });

  it.each<[string, KernelFile, string]>([
    ["a site that the PTX does not have", { ptx, ...stackJobs("fun") }, "INJECTION_NAME_NOT_FOUND"],
    [
      "a site of AST PTX that it does not have",
      {
        ptx,
        ast: { table: "0".repeat(64), jobs: [{ site: "x", job: { inputs: [], output: "z" }, programs: [] }] },
      },
      "INJECTION_NAME_NOT_FOUND",
    ],
    ["types that are not at hand", { ptx, types: dog.fingerprint }, "FILE_TABLE"],
    ["no file", undefined as never, "INVALID_ARGUMENT"],
    ["jobs that are no list", { ptx, ast: { table: dog.fingerprint, jobs: 5 } } as never, "INVALID_ARGUMENT"],
  ])("refuses %s", (_, file, code) => {
    expect(codeOf(() => ptxFromKernelFile(file))).toBe(code);
  });

  it("refuses values that are not tables of types", () => {
    expect(codeOf(() => ptxFromKernelFile({ ptx }, {} as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => ptxFromKernelFile({ ptx }, [{}] as never))).toBe("INVALID_ARGUMENT");
  });
});
