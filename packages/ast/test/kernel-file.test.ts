// The AST PTX part of kernel files: compilers, jobs and programs, and what is refused.
import type { AstTable } from "@mm-ptx/types/core";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { describe, expect, it } from "vitest";
import { table } from "../src/generated/f32.js";
import { AstCompiler, AstProgram, AstPtxError, astFromKernelFile } from "../src/index.js";

const program = Uint32Array.of(1, 0, 1, 1, 4 | (2 << 16), 0, 5, 0);
const routine = Uint32Array.of(6, 0, 6, 1, 3 | (2 << 16), 1, 5, 0);
const job = { inputs: ["x", "y"], output: "z" };
const fileOf = (ast: object): KernelFile => ({
  ptx: "",
  ast: { table, jobs: [{ site: "func", job, programs: [program] }], ...ast },
});
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(AstPtxError);
    return (error as AstPtxError).code;
  }
  return expect.unreachable("expected an error");
};

describe("astFromKernelFile", () => {
  it("makes what compiles the programs", () => {
    const part = astFromKernelFile(fileOf({ routines: [routine], limits: "reference" }))!;
    expect(part.options.limits).toBe("reference");
    const compiler = new AstCompiler(part.table, part.options);
    const [{ site, programs, job: compileJob }] = part.jobs as [(typeof part.jobs)[number]];
    expect([site, programs[0]!.equals(AstProgram.fromWords(program))]).toEqual(["func", true]);
    expect(compiler.compile(programs[0]!, compileJob)).toContain(
      `${table.instructions[1]!.ptx} %ast0, %x, %y;`,
    );
  });

  it("finds the table of a fingerprint, or one that extends it", () => {
    const file = fileOf({ table: table.fingerprint });
    const extending: AstTable = { ...table, fingerprint: "0".repeat(64), bases: [table.fingerprint] };
    expect(astFromKernelFile(file, [table])!.table).toBe(table);
    expect(astFromKernelFile(file, [extending])!.table).toBe(extending);
    expect(codeOf(() => astFromKernelFile(file, [{ ...extending, bases: [] }]))).toBe("FILE_TABLE");
    expect(codeOf(() => astFromKernelFile(file))).toBe("FILE_TABLE");
  });

  it("returns nothing for a file without AST PTX, and refuses what is no file", () => {
    expect(astFromKernelFile({ ptx: "" })).toBe(undefined);
    for (const value of [undefined, { ptx: "", ast: { table } }, fileOf({ routines: [[1, 0]] })]) {
      expect(codeOf(() => astFromKernelFile(value as never))).toBe("INVALID_ARGUMENT");
    }
    expect(codeOf(() => astFromKernelFile({ ptx: "" }, {} as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => astFromKernelFile({ ptx: "" }, [{}] as never))).toBe("INVALID_ARGUMENT");
  });
});
