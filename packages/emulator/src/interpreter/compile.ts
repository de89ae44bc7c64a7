// Compiles a function to steps: one closure over the machine per instruction. A table names the function that creates
// each step; instructions whose results only depend on their operands have no row.
import type { Instruction, ProgramFunction } from "../program/program.js";
import { Builder } from "./builder.js";
import { clusterBarrierStep, mapStep, rankStep } from "./cluster-steps.js";
import {
  branchStep,
  callStep,
  exitThread,
  indexedBranchStep,
  returnFromCall,
  trapStep,
} from "./control-steps.js";
import { fragmentStep } from "./fragment-steps.js";
import { KernelFault, type Machine } from "./machine.js";
import { atomicStep, copyStep, loadStep, storeStep } from "./memory-steps.js";
import { carryStep, convertAddressStep, isSpaceStep, logicPredicateStep, moveStep } from "./move-steps.js";
import { procedureStep } from "./procedure-steps.js";
import { scalarStep } from "./scalar-steps.js";
import type { Code } from "./thread.js";
import { afterReading, checkedStep } from "./uninitialized.js";
import { activeMaskStep, barrierStep, matrixAccessStep, warpStep } from "./warp-steps.js";

type MakeStep = (builder: Builder) => (() => void) | undefined;

const nothing: MakeStep = () => () => {};

const STEPS: Readonly<Record<string, MakeStep>> = {
  mov: moveStep,
  cvta: convertAddressStep,
  lop3: (builder) => logicPredicateStep(builder) ?? scalarStep(builder),
  isspacep: isSpaceStep,
  addc: carryStep,
  subc: carryStep,
  madc: carryStep,
  ld: loadStep,
  ldu: loadStep,
  st: storeStep,
  atom: atomicStep,
  red: atomicStep,
  cp: copyStep,
  prefetch: nothing,
  prefetchu: nothing,
  applypriority: nothing,
  discard: nothing,
  membar: nothing,
  fence: nothing,
  nanosleep: nothing,
  pmevent: nothing,
  setmaxnreg: nothing,
  griddepcontrol: nothing,
  bra: branchStep,
  brx: indexedBranchStep,
  call: callStep,
  ret:
    ({ machine }) =>
    () =>
      returnFromCall(machine),
  exit:
    ({ machine }) =>
    () =>
      exitThread(machine),
  trap: trapStep,
  brkpt: trapStep,
  ldmatrix: matrixAccessStep,
  stmatrix: matrixAccessStep,
  wmma: (builder) => fragmentStep(builder) ?? warpStep(builder),
  activemask: activeMaskStep,
  bar: (builder) => warpStep(builder) ?? barrierStep(builder),
  barrier: (builder) => clusterBarrierStep(builder) ?? barrierStep(builder),
  mapa: mapStep,
  getctarank: rankStep,
};

/** Compiles a function for a launch. */
export function compileFunction(machine: Machine, fn: ProgramFunction, index: number): Code {
  const builder = new Builder(machine, fn);
  const steps = fn.instructions.map((instruction) => step(builder, instruction));
  // A function that ends without `ret` returns.
  steps.push(() => returnFromCall(machine));
  return { function: fn, index, steps, slots: builder.slots, frame: builder.frame };
}

function step(builder: Builder, instruction: Instruction): () => void {
  const { machine } = builder;
  builder.instruction = instruction;
  builder.before = [];
  const plain = plainStep(builder, instruction);
  const { before } = builder;
  const prepared =
    before.length === 0
      ? plain
      : () => {
          for (const compute of before) compute();
          plain();
        };
  const isChecked = machine.checks?.uninitialized === true;
  const checked = isChecked ? checkedStep(builder, prepared) : prepared;
  const { guard } = instruction;
  if (guard === undefined) return checked;
  const slot = builder.register(guard.register);
  const wanted = guard.negated ? 0 : 1;
  const { registers } = machine;
  const guarded = () => {
    if (registers.u32[2 * (machine.base + slot)] === wanted) checked();
  };
  return isChecked ? afterReading(builder, [guard.register], guarded) : guarded;
}

function plainStep(builder: Builder, instruction: Instruction): () => void {
  const { machine } = builder;
  const carries = instruction.operation.words.has("cc");
  const make = carries ? carryStep : STEPS[instruction.operation.name];
  const made =
    procedureStep(builder) ??
    (make === undefined ? (scalarStep(builder) ?? warpStep(builder)) : make(builder));
  if (made !== undefined) return made;
  // The front end rejects unsupported instructions; this handles a table that lists one without a step.
  return () => {
    const detail = `\`${instruction.operation.opcode}\` is not supported`;
    throw new KernelFault({ kind: "UNSUPPORTED", detail, ...machine.place() });
  };
}
