// Steps that choose what runs next: branches, calls, returns, and what ends a thread or a launch.
import type { Operand } from "../program/operand.js";
import { FUNCTION_UPPER } from "../run/memory.js";
import { BEYOND_TARGETS, NO_FUNCTION } from "../run/traps.js";
import type { Builder } from "./builder.js";
import { builtinStep } from "./builtins.js";
import type { Machine } from "./machine.js";
import type { Code, Frame } from "./thread.js";

/** `bra`. */
export function branchStep(builder: Builder): () => void {
  const [label] = builder.instruction.operands;
  const target = label?.kind === "label" ? label.target : 0;
  return () => jump(builder.machine, target);
}

/** `brx.idx`: an index beyond the list is undefined in PTX, here a fault. */
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

function jump(machine: Machine, target: number): void {
  if (target <= machine.at) {
    machine.loop = { function: machine.code.index, first: target, last: machine.at };
  }
  machine.pc = target;
}

/** `exit`, and the return of a kernel. */
export function exitThread(machine: Machine): void {
  machine.thread.exited = true;
  machine.running = false;
}

/** `ret`: copies what the call wants back into the caller's frame. */
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

/** `call`, of a function by name or by address, or of a built-in one. */
export function callStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const call = instruction.call!;
  const { callee } = call;
  if (callee.kind === "builtin") return builtinStep(builder, callee.name, call);
  const args = call.args.map((operand) => placeOf(builder, operand));
  const results = call.results.map((operand) => placeOf(builder, operand));
  // Functions are compiled when they are first called: they may call themselves.
  const known = new Map<number, () => void>();
  const begin = (index: number) => {
    let call = known.get(index);
    if (call === undefined) {
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

/** A value that a call passes: bytes of a frame's variable, or a register. */
export type Place =
  | { readonly kind: "memory"; readonly offset: number; readonly bytes: number }
  | { readonly kind: "slot"; readonly slot: number };

function calling(
  machine: Machine,
  code: Code,
  args: readonly Place[],
  results: readonly Place[],
): () => void {
  const callee = code.function;
  const params = formal(code, callee.params, callee.registerParams);
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
      copy(machine, caller, place, frame, params[index]!);
    });
    frame.whenDone = (done) => {
      results.forEach((place, index) => {
        copy(machine, done, given[index]!, caller, place);
      });
    };
    machine.resume(frame);
  };
}

/** Where a function has its parameters or results. */
function formal(
  { function: callee, slots }: Code,
  variables: readonly number[],
  registers: readonly number[],
): readonly Place[] {
  if (variables.length > 0) {
    return variables.map((index) => {
      const { offset, size } = callee.variables[index]!;
      return { kind: "memory", offset, bytes: size };
    });
  }
  return registers.map((index) => ({ kind: "slot", slot: slots[index]! }));
}

export function placeOf(builder: Builder, operand: Operand): Place {
  if (operand.kind === "variable" && operand.variable.kind === "function-variable") {
    const { offset, size } = builder.variable(operand.variable);
    return { kind: "memory", offset: offset + operand.offset, bytes: size };
  }
  return {
    kind: "slot",
    slot: operand.kind === "register" ? builder.register(operand.register) : builder.source(operand),
  };
}

const SLOT_BYTES = 8;

function copy(machine: Machine, from: Frame, source: Place, to: Frame, target: Place): void {
  const bytes = bytesOf(machine, from, source);
  if (target.kind === "slot") {
    const slot = new Uint8Array(SLOT_BYTES);
    slot.set(bytes.subarray(0, SLOT_BYTES));
    machine.registers.u32.set(new Uint32Array(slot.buffer), 2 * (to.base + target.slot));
    machine.registers.written[to.base + target.slot] = 1;
    return;
  }
  const start = machine.localBase() + to.local + target.offset;
  machine.bytes.set(bytes.subarray(0, target.bytes), start);
}

export function bytesOf(machine: Machine, frame: Frame, place: Place): Uint8Array {
  if (place.kind === "slot") {
    const { u32 } = machine.registers;
    return new Uint8Array(u32.buffer, SLOT_BYTES * (frame.base + place.slot), SLOT_BYTES);
  }
  const start = machine.localBase() + frame.local + place.offset;
  return machine.bytes.subarray(start, start + place.bytes);
}
