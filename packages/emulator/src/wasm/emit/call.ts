// Calls of separate WebAssembly functions. Parameters are passed in local memory, where the callee's frame follows the
// caller's.
import { placeOf, Untranslatable } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import type { ProgramFunction } from "../../program/program.js";
import { stackWords } from "../../run/local-bytes.js";
import { FUNCTION_UPPER } from "../../run/memory.js";
import { NO_FUNCTION } from "../../run/traps.js";
import type { Emitter } from "./emitter.js";
import type { CalledFunction } from "./facts.js";
import { localBegin } from "./memory.js";
import type { Emit } from "./select.js";

/** Emits a call of a function, by name or through its address. */
export const callFunction: Emit = (emitter, step) => {
  const { callee } = step.source.call!;
  const { called } = emitter.facts;
  if (callee.kind === "function") callOne(emitter, step, called.get(callee.function)!);
  else if (callee.kind === "register") callAny(emitter, step, callee.register);
};

/** Emits a call of one of the functions whose addresses the program takes. */
function callAny(emitter: Emitter, step: Step, register: number): void {
  const { code, facts } = emitter;
  const fits = [...facts.called].filter(([, { body }]) => takes(body, step));
  const done = code.block();
  const wrong = code.block();
  const labels = fits.map(() => code.block()).reverse();
  const address = () => emitter.getRegister(step.context.registerBase + register);
  address();
  code.i64(32n).op("i64.shr_u").i64(BigInt(FUNCTION_UPPER)).op("i64.ne").brIf(wrong);
  address();
  code.op("i32.wrap_i64");
  const last = Math.max(-1, ...fits.map(([number]) => number));
  const table = Array.from({ length: last + 1 }, () => wrong);
  fits.forEach(([number], i) => {
    table[number] = labels[i]!;
  });
  code.brTable([...table, wrong]);
  for (const [, called] of fits) {
    code.end();
    callOne(emitter, step, called);
    code.br(done);
  }
  code.end();
  trap(emitter, step, NO_FUNCTION);
  code.end();
}

/** Whether the parameters and results of a function have the same sizes as those of a call. */
function takes(
  {
    variables,
    parameters: params,
    results,
    registerParameters: registerParams,
    registerResults,
  }: ProgramFunction,
  step: Step,
): boolean {
  const call = step.source.call!;
  const sizes = (list: readonly number[]) => list.map((index) => variables[index]!.bytes);
  const given = (list: readonly Operand[]) => list.map((operand) => placeIn(step, operand).size);
  return (
    registerParams.length + registerResults.length === 0 &&
    `${sizes(params)}` === `${given(call.args)}` &&
    `${sizes(results)}` === `${given(call.results)}`
  );
}

function trap(emitter: Emitter, step: Step, detail: string): void {
  const { code } = emitter;
  code.i32(emitter.site({ step, detail }));
  emitter.threadNumber();
  code.call(emitter.facts.module.imports.trap).op("unreachable");
}

function callOne(emitter: Emitter, step: Step, { body, index, frameBytes }: CalledFunction): void {
  const { code, facts, thread } = emitter;
  const { args, results } = step.source.call!;
  const calleeFrame = step.context.frameBase + step.context.body.frameBytes;
  const { fuel } = facts.module.globals;
  code.scratch("i32", (frame) => {
    emitter.frame();
    code.i32(calleeFrame).op("i32.add").tee(frame);
    code
      .i32(facts.localBytes - frameBytes)
      .op("i32.gt_s")
      .if();
    trap(emitter, step, stackWords(facts.localBytes));
    code.end();
    code.scratch("i32", (base) => {
      localBegin(emitter);
      emitter.frame();
      code.op("i32.add").set(base);
      const copy = (from: number, to: number, bytes: number) => {
        code.get(base).i32(to).op("i32.add").get(base).i32(from).op("i32.add").i32(bytes).copy();
      };
      args.forEach((operand, i) => {
        const { offset, size } = placeIn(step, operand);
        copy(offset, calleeFrame + body.variables[body.parameters[i]!]!.offset, size);
      });
      code.get(thread.fuel).setGlobal(fuel);
      emitter.threadNumber();
      for (const component of [0, 1, 2]) emitter.threadIndex(component);
      code.get(frame).call(index).getGlobal(fuel).set(thread.fuel);
      results.forEach((operand, i) => {
        const { offset, size } = placeIn(step, operand);
        copy(calleeFrame + body.variables[body.results[i]!]!.offset, offset, size);
      });
    });
  });
}

/** Where a variable that is passed is in the frame of the calling function. */
function placeIn(step: Step, operand: Operand): { offset: number; size: number } {
  if (operand.kind !== "variable")
    throw new Untranslatable("it passes values in registers to functions that are not inlined");
  const { context, variable } = placeOf(step.context, operand.variable);
  const { offset, bytes: size } = context.body.variables[variable]!;
  if (context.body.kind === "entry" && context.body.parameters.includes(variable)) {
    throw new Untranslatable("it passes a kernel parameter directly to a function");
  }
  return { offset: context.frameBase + offset, size };
}
