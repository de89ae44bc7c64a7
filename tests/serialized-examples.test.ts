// A kernel with everything that compiles of its programs need travels to another process: as the state that C programs
// write, and as a kernel file.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { table as astTable } from "../packages/ast/dist/generated/f32.js";
import {
  AstCompiler,
  add,
  astFromKernelFile,
  siteJob as astJob,
  mul,
  toProgram,
  variables,
} from "../packages/ast/dist/index.js";
import { capabilities, PtxCompiler } from "../packages/cuda/dist/index.js";
import { parsePtx, ptxFromKernelFile } from "../packages/inject/dist/index.js";
import { f32, input, ptx, table } from "../packages/stack/dist/generated/default/index.js";
import {
  fromSerialized,
  REFERENCE_LIMITS,
  readSerialized,
  StackCompiler,
  StackProgram,
  siteJob,
  stackFromKernelFile,
} from "../packages/stack/dist/index.js";
import { readKernelFile, writeKernelFile } from "../packages/types/dist/kernel-file/index.js";
import { serialized } from "./support/serialized-state.js";
import { ROOT } from "./support/workspace.js";

const HAS_COMPILER = capabilities().backends.some(({ available }) => available);

const kernelText = readFileSync(join(ROOT, "apps/quickstart/kernel.ptx"), "utf8");
const kernel = parsePtx(kernelText);
const { operands } = kernel.injection("func");
const job = siteJob(table, operands);
const programs = [
  StackProgram.of(input(1), input(2), ptx.mulFtzF32, f32(1), ptx.addFtzF32),
  StackProgram.of(input(3), ptx.sinApproxFtzF32, input(1), ptx.subFtzF32),
];
const requests = Array.from(job.requests);
const options = { limits: "reference", requestCopies: "sequential" } as const;
const compiler = new StackCompiler(table, options);
const rendered = programs.map((program) => kernel.render({ func: compiler.compile(program, job) }));

/** What a C program puts into its blobs; without the requests of a second injection, which this kernel does not have. */
const parts = {
  compiler_info: serialized.compiler_info(REFERENCE_LIMITS),
  stack_info: serialized.stack_info(table),
  ptx: serialized.ptx(kernelText),
  registers: serialized.registers(job),
  requests: serialized.requests([requests]),
  instructions: serialized.instructions(programs),
  extra: serialized.extra(9, 0, 1 << 20),
};

describe("state that a C program wrote", () => {
  it("compiles, in the order of the program's own: parts one after the other in a file", async () => {
    const order = [
      "compiler_info",
      "stack_info",
      "ptx",
      "registers",
      "requests",
      "instructions",
      "extra",
    ] as const;
    const file = Buffer.concat(order.map((part) => parts[part]));
    const { version, value } = readSerialized(file, order);
    expect(version).toBe("1.1");
    const state = fromSerialized(value);
    const annotated = parsePtx(state.ptx!);
    const there = new StackCompiler(state.table!, { ...options, limits: state.limits! });
    const stubJob = {
      registers: state.registers!,
      requests: state.requests![0]!,
      executionLimit: state.executionLimit!,
    };
    const texts = state.programs!.map((program) =>
      annotated.render({ func: there.compile(program, stubJob) }),
    );
    expect(texts).toEqual(rendered);
    expect(state.arch).toBe("sm_90");
    if (!HAS_COMPILER) return;
    using cubins = new PtxCompiler({ arch: state.arch!, cache: false, workers: 1 });
    const { info } = await cubins.compile(texts[0]!);
    expect(info.kernels.map(({ name }) => name)).toEqual(["evaluate"]);
  });

  it("compiles, as one state for all programs, which arrive on their own", () => {
    const order = ["ptx", "compiler_info", "stack_info", "extra", "registers", "requests"] as const;
    const state = fromSerialized(
      readSerialized(Buffer.concat(order.map((part) => parts[part])), "compiler_state").value,
    );
    const annotated = parsePtx(state.ptx);
    const there = new StackCompiler(state.table, { ...options, limits: state.limits });
    programs.forEach((program, index) => {
      const message = serialized.instructions([program]);
      const arrived = fromSerialized(readSerialized(message, "instructions").value).programs!;
      const { registers, executionLimit } = state;
      const stubs = annotated.injections.map(({ name }, injection) => {
        const stubJob = { registers, requests: state.requests[injection]!, executionLimit };
        return [name, there.compile(arrived[injection]!, stubJob)];
      });
      expect(annotated.render(Object.fromEntries(stubs))).toBe(rendered[index]);
    });
  });

  it("becomes a kernel file, which compiles on another machine", () => {
    const order = ["ptx", "compiler_info", "stack_info", "extra", "registers", "requests"] as const;
    const { value } = readSerialized(Buffer.concat(order.map((part) => parts[part])), "compiler_state");
    const instructions = readSerialized(parts.instructions, "instructions").value;
    const state = fromSerialized({ ...value, instructions });
    const [name] = parsePtx(state.ptx).injections.map((injection) => injection.name);
    const { registers, executionLimit } = state;
    const bytes = writeKernelFile({
      ptx: state.ptx,
      arch: state.arch,
      stack: {
        table: state.table,
        limits: { ...state.limits },
        requestCopies: "sequential",
        jobs: [
          {
            site: name!,
            job: { registers, requests: state.requests[0]!, executionLimit },
            programs: state.programs.map(({ words }) => words),
          },
        ],
      },
    });
    expect(compiledThere(bytes)).toEqual(rendered);
  });
});

describe("a kernel file", () => {
  it("holds programs of Stack PTX and of AST PTX for one kernel, and tables by fingerprint", () => {
    const axes = astJob(astTable, operands);
    const { x, y } = variables("x", "y");
    const ast = toProgram(mul(add(x, y), y), astTable);
    const expected = kernel.render({ func: new AstCompiler(astTable).compile(ast.program, axes) });
    const bytes = writeKernelFile({
      ptx: kernelText,
      stack: {
        table: table.fingerprint,
        limits: "reference",
        requestCopies: "sequential",
        jobs: [{ site: "func", job: { ...job, requests }, programs: programs.map(({ words }) => words) }],
      },
      ast: {
        table: astTable.fingerprint,
        jobs: [{ site: "func", job: axes, programs: [ast.program.words] }],
      },
    });
    expect(compiledThere(bytes)).toEqual([...rendered, expected]);
  });
});

/** What a worker does that knows nothing but the bytes and the default tables: the rendered PTX of each program. */
function compiledThere(bytes: Uint8Array): string[] {
  const file = readKernelFile(bytes);
  const annotated = ptxFromKernelFile(file);
  const stack = stackFromKernelFile(file, [table]);
  const ast = astFromKernelFile(file, [astTable]);
  const texts: string[] = [];
  if (stack !== undefined) {
    const there = new StackCompiler(stack.table, stack.options);
    for (const one of stack.jobs) {
      for (const program of one.programs) {
        texts.push(annotated.render({ [one.site]: there.compile(program, one.job) }));
      }
    }
  }
  if (ast !== undefined) {
    const there = new AstCompiler(ast.table, ast.options);
    for (const one of ast.jobs) {
      for (const program of one.programs) {
        texts.push(annotated.render({ [one.site]: there.compile(program, one.job) }));
      }
    }
  }
  return texts;
}
