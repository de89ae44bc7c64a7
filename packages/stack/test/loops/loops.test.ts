// The loops that make the package fast are the ones that run, and both sets of loops give the same.
import { readFileSync } from "node:fs";
import { parseStackDescription } from "@mm-ptx/types";
import { afterEach, expect, it, vi } from "vitest";
import {
  input,
  metaConstant,
  ptxInstruction,
  register,
  StackCompiler,
  StackProgram,
} from "../../src/index.js";
import { Control, loopMemory } from "../../src/loops/memory.js";
import { F32, NEG, SMALL_TABLE } from "../support/small-table.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

const x = register("x", F32);

it("run in WebAssembly if it is allowed", () => {
  const memory = loopMemory()!;
  expect(memory).toBeDefined();
  const program = StackProgram.of(input(0), ptxInstruction(NEG), ptxInstruction(NEG));
  const job = { registers: [x], requests: [0] };
  // What each loop writes into the control block: nodes made, nodes ordered, lines printed.
  const left = [Control.nodeEnd, Control.orderCount, Control.line];
  const run = (webAssembly: boolean) => {
    for (const word of left) memory.control[word] = -1;
    new StackCompiler(SMALL_TABLE, { webAssembly }).compile(program, job);
    return left.map((word) => memory.control[word]);
  };
  expect(run(true)).toEqual([36, 2, 2]);
  expect(run(false)).toEqual([-1, -1, -1]);
});

it("run in JavaScript if there is no WebAssembly", async () => {
  vi.resetModules();
  vi.stubGlobal("WebAssembly", undefined);
  const fresh = await import("../../src/loops/memory.js");
  expect(fresh.loopMemory()).toBeUndefined();
});

it("are not affected by a caller's objects that compile while they are read", () => {
  const other = new StackCompiler(SMALL_TABLE);
  const meddle = () => {
    other.compile(StackProgram.of(metaConstant(1), input(0), ptxInstruction(NEG), ptxInstruction(NEG)), {
      registers: [x],
      requests: [0],
    });
  };
  const job = { registers: [x, register("y", F32)], requests: [1] };
  const program = StackProgram.of(input(0), ptxInstruction(NEG));
  const text = new StackCompiler(SMALL_TABLE).compile(program, job);
  const meddling = {
    get registers() {
      meddle();
      return job.registers;
    },
    get requests() {
      const requests = [1];
      Object.defineProperty(requests, 0, {
        get: () => {
          meddle();
          return 1;
        },
      });
      return requests;
    },
    get executionLimit() {
      meddle();
      return 100;
    },
  };
  expect(new StackCompiler(SMALL_TABLE).compile(program, meddling)).toBe(text);
});

it("give the same text for every conformance vector", () => {
  const url = new URL("../vectors/stack.json", import.meta.url);
  const { description, cases } = JSON.parse(readFileSync(url, "utf8")) as {
    description: unknown;
    cases: { registers: [string, number][]; program: number[]; requests: number[] }[];
  };
  const table = parseStackDescription(description);
  const [wasm, js] = [true, false].map((webAssembly) => new StackCompiler(table, { webAssembly }));
  for (const { registers, program, requests } of cases) {
    const job = { registers: registers.map(([name, stack]) => register(name, stack)), requests };
    const words = StackProgram.fromWords(Uint32Array.from(program));
    const outcome = (compiler: StackCompiler) => {
      try {
        return compiler.compile(words, job);
      } catch (error) {
        return String(error);
      }
    };
    expect(outcome(wasm!)).toBe(outcome(js!));
  }
});
