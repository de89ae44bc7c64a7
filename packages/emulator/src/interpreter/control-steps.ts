// Steps of control flow: branches, calls, returns, and the end of a thread or a launch.
import { quoted } from "@mm-ptx/types/internal";
import { placeText } from "../front/place.js";
import { FUNCTION_UPPER } from "../run/memory.js";
import { BEYOND_TARGETS, executed, NO_FUNCTION } from "../run/traps.js";
import type { Builder } from "./builder.js";
import { builtInStep } from "./built-in-step.js";
import { copyValue, placeOf, type ValuePlace } from "./call-values.js";
import { KernelFault, type Machine } from "./machine.js";
import type { Code } from "./thread.js";

/** `bra`. */
export function branchStep(builder: Builder): () => void {
  const [label] = builder.instruction.operands;
  const target = label?.kind === "label" ? label.target : 0;
  return () => jump(builder.machine, target);
}

/** `brx.idx`: an index past the list is undefined in PTX and a fault here. */
export function indexedBranchStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const targets = instruction.branchTargets ?? [];
  const slot = builder.source(instruction.operands[0]!);
  const { registers } = machine;
  return () => {
    const index = registers.u32[2 * (machine.base + slot)]!;
    const target = targets[index];
    if (target === undefined) throw machine.trap(BEYOND_TARGETS);
    jump(machine, target);
  };
}

/** `trap`, `brkpt`, and traps that replace another instruction. */
export function trapStep({ instruction, machine }: Builder): () => void {
  return () => {
    throw machine.trap(executed(instruction.operation));
  };
}

function jump(machine: Machine, target: number): void {
  if (target <= machine.at) {
    machine.loop = { function: machine.code.index, first: target, last: machine.at };
    if (machine.yields) machine.running = false;
  }
  machine.pc = target;
}

/** `exit`, and `ret` in a kernel. */
export function exitThread(machine: Machine): void {
  machine.thread.exited = true;
  machine.cluster.exit(machine.thread);
  machine.running = false;
}

/** `ret`: copies the results of the call to the caller's frame. */
export function returnFromCall(machine: Machine): void {
  const { frames } = machine.thread;
  const done = frames.at(-1)!;
  if (frames.length === 1) {
    exitThread(machine);
    return;
  }
  frames.pop();
  const caller = frames.at(-1)!;
  machine.resume(caller);
  done.whenDone?.(done);
  machine.registers.give(done.base, done.code.frame.length / 2);
}

/** `call` of a function by name or by address, or of a built-in function. */
export function callStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const call = instruction.call!;
  const { callee } = call;
  if (callee.kind === "builtin") return builtInStep(builder, callee.name, call);
  const args = call.args.map((operand) => placeOf(builder, operand));
  const results = call.results.map((operand) => placeOf(builder, operand));
  // Functions are compiled on their first call, because they may be recursive.
  const known = new Map<number, () => void>();
  const begin = (index: number) => {
    let call = known.get(index);
    if (call === undefined) {
      refuseUnsupported(machine, index);
      call = calling(machine, machine.codeOf(index), args, results);
      known.set(index, call);
    }
    call();
  };
  if (callee.kind === "function") return () => begin(callee.function);
  const slot = builder.register(callee.register);
  const { registers } = machine;
  return () => {
    const at = 2 * (machine.base + slot);
    const index = registers.u32[at]!;
    const isFunction =
      registers.u32[at + 1] === FUNCTION_UPPER && index < machine.launch.loaded.program.functions.length;
    if (!isFunction) throw machine.trap(NO_FUNCTION);
    begin(index);
  };
}

/** Functions that are called by name are rejected before a launch, and those that are called by address here. */
function refuseUnsupported(machine: Machine, index: number): void {
  const { name, unsupported } = machine.launch.loaded.program.functions[index]!;
  const [first] = unsupported;
  if (first === undefined) return;
  const { line, column, source, text, message } = first;
  const detail = `a call of ${quoted(name)}: ${placeText(line, column, source, text)}: ${message}`;
  throw new KernelFault({ kind: "UNSUPPORTED", detail, ...machine.place() });
}

function calling(
  machine: Machine,
  code: Code,
  args: readonly ValuePlace[],
  results: readonly ValuePlace[],
): () => void {
  const callee = code.function;
  const params = formal(code, callee.parameters, callee.registerParameters);
  const given = formal(code, callee.results, callee.registerResults);
  if (params.length !== args.length || given.length !== results.length) {
    return () => {
      throw machine.trap(NO_FUNCTION);
    };
  }
  return () => {
    const caller = machine.frame;
    caller.pc = machine.pc;
    const frame = machine.call(code);
    args.forEach((place, index) => {
      copyValue(machine, caller, place, frame, params[index]!);
    });
    frame.whenDone = (done) => {
      results.forEach((place, index) => {
        copyValue(machine, done, given[index]!, caller, place);
      });
    };
    machine.resume(frame);
  };
}

/** Where a function holds a parameter or result. */
function formal(
  { function: callee, slots }: Code,
  variables: readonly number[],
  registers: readonly number[],
): readonly ValuePlace[] {
  if (variables.length > 0) {
    return variables.map((index) => {
      const { offset, bytes } = callee.variables[index]!;
      return { kind: "memory", offset, bytes };
    });
  }
  return registers.map((index) => ({ kind: "slot", slot: slots[index]! }));
}
