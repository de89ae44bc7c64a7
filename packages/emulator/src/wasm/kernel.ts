// Translates a kernel. This function reads as the list of passes: graph, facts about registers, segments, and the
// function around them that runs blocks.

import {
  arithmeticOnly,
  constantRegisters,
  definitions,
  neverSubnormal,
  rematerializableRegisters,
} from "../control/facts.js";
import { type Graph, Untranslatable } from "../control/graph.js";
import { bytesOf, type Liveness, liveness } from "../control/liveness.js";
import { valueTypes } from "../control/registers.js";
import type { Step } from "../control/step.js";
import { isTurn, mayWaitForBlocks } from "../control/turns.js";
import { stridesAtWaits } from "../control/uniform.js";
import { clearUnwritten } from "../control/unwritten.js";
import { valueRanges } from "../control/value-ranges.js";
import { isWarpBarrier } from "../control/waits.js";
import { withWrittenFlags } from "../control/written-flags.js";
import type { Operand } from "../program/operand.js";
import type { Program, ProgramFunction } from "../program/program.js";
import type { ValueType } from "../program/types.js";
import type { LoadedProgram } from "../run/launch.js";
import { localBytesOf } from "../run/local-bytes.js";
import { isShared } from "../run/memory.js";
import { ModuleBuilder } from "./binary/module.js";
import { SEGMENT, writeBlocks } from "./blocks.js";
import type { Capabilities } from "./capabilities.js";
import { type Checks, NO_CHECKS, observesAccesses } from "./checks/checks.js";
import { shadowCode } from "./checks/shadow-code.js";
import { shadowShape } from "./checks/shape.js";
import { elementaryFor, elementaryNames } from "./elementary/index.js";
import type { KernelFacts } from "./emit/facts.js";
import { BLOCK_UNIFORM } from "./emit/special.js";
import { needsHost } from "./emit/table.js";
import { moduleFrame, operationKey } from "./frame.js";
import { buildGraphs, CALLED, type KernelGraphs, writeFunction } from "./functions.js";
import { hostFor } from "./host.js";
import { writeSegment } from "./segment.js";
import { MAX_THREADS } from "./segment-base.js";
import { withDivergencePoints } from "./simd/divergence.js";
import { writeVectorSegment } from "./simd/segment.js";
import type { Translation } from "./translation.js";
import { writeBlockReduction } from "./warp/block-reduction.js";
import { writeChains } from "./warp/chain.js";
import { warpName, writeWarpFunction } from "./warp/functions.js";
import { MATRIX_BYTES, multipliesMatrices } from "./warp/matrix.js";
import { writePhaseTest } from "./warp/phase-test.js";

/**
 * @param checks what the code checks besides every access
 * @param isLeftOut chooses steps for which no code is generated
 * @throws {@link Untranslatable} with the reason why the interpreter has to run a kernel
 */
export async function translate(
  loaded: LoadedProgram,
  kernel: ProgramFunction,
  machine: Capabilities,
  checks = NO_CHECKS,
  isLeftOut?: (step: Step) => boolean,
): Promise<Translation> {
  const { program, addresses, memory } = loaded;
  const { kernel: whole, called: graphs } = checkedGraphs(buildGraphs(program, kernel), checks);
  const entries = [...new Set([0, ...whole.waits.map(({ resume }) => resume)])];
  const { graph, divergencePoints } = withDivergencePoints(whole, entries);
  const types = valueTypes(graph);
  const live = liveness(graph);
  clearUnwritten(graph, live);
  const defined = definitions(graph);
  const rematerializable = rematerializableRegisters(defined, (name) => BLOCK_UNIFORM.has(name));
  const constants = constantRegisters(defined, graph.registerTypes);
  const { slots, bytes: room } = frameSlots(graph, divergencePoints, live, types, {
    isRepeatable: (register) => rematerializable.has(register),
    isConstant: (register) => constants.has(register),
  });
  const concurrent = isShared(memory);
  const builder = new ModuleBuilder(concurrent ? "shared" : "own");
  const steps = [graph, ...graphs.values()].flatMap(({ blocks }) => blocks.flatMap((block) => block.steps));
  if (checks.races) refuseObjects([...steps, ...graph.waits.map(({ step }) => step)]);
  const foreign = foreignSteps(steps, machine);
  const names = elementaryNames(steps);
  const host = await hostFor(
    foreign,
    steps,
    graph.waits.map(({ step }) => step),
  );
  const elementary = await elementaryFor(names);
  const procedures = steps.filter(({ operation }) => operation.traits.procedure);
  const frame = moduleFrame(builder, names, foreign, procedures, host);
  const shape = checks.races ? shadowShape([graph, ...graphs.values()]) : undefined;
  const shadow = shape && shadowCode(builder, frame, shape);
  const localBytes =
    graphs.size === 0 ? graph.localBytes : localBytesOf(program.functions, kernel, loaded.stackBytes);
  const called = new Map(
    [...graphs].map(([index, { localBytes: bytes }]) => [
      index,
      { body: program.functions[index]!, index: builder.function(CALLED), frameBytes: bytes },
    ]),
  );
  const facts: KernelFacts = {
    program,
    kernel,
    addresses,
    pageTable: memory.pageTable,
    ...registerFacts(program, kernel, graph, types, defined),
    localBytes,
    called,
    module: frame,
    fusedMultiplyAdd: machine.fusedMultiplyAdd,
    concurrent,
    checks,
    shadow,
    isLeftOut,
  };
  const strides = stridesAtWaits(graph, (name) => BLOCK_UNIFORM.has(name));
  const observed = new Set(graph.waits.flatMap(({ step }) => step.reads));
  const plan = { graph, facts, live, rematerializable, slots, observed, strides, divergencePoints };
  const segments = entries.map((entry) => writeSegment(plan, entry));
  const functions = segments.map(() => builder.function(SEGMENT));
  const groups = entries.map((entry, i) => writeVectorSegment(plan, entry, functions[i]!));
  const resumes = graph.waits.map(({ resume }) => entries.indexOf(resume));
  const warps = graph.waits.map(({ step }, wait) => {
    // Where races are checked, the engine begins an epoch.
    if (shadow !== undefined && isWarpBarrier(step)) return undefined;
    const places = { slots, constants };
    const code =
      writeBlockReduction(step, frame, places) ??
      writePhaseTest(step, kernel, frame, places) ??
      writeWarpFunction(step, {
        ...{ module: frame, places, room, pageTable: memory.pageTable },
        fusedMultiplyAdd: machine.fusedMultiplyAdd,
        isChecked: observesAccesses(checks),
      });
    if (code === undefined) return undefined;
    const index = builder.function(SEGMENT);
    builder.define(index, code);
    builder.export(warpName(wait), index);
    return index;
  });
  // Checks observe each thread, and a step that is left out is no part of a chain.
  const isWatched = shadow !== undefined || checks.uninitialized || isLeftOut !== undefined;
  const chains = isWatched ? [] : writeChains(plan, constants, builder);
  const waitsForBlocks = mayWaitForBlocks(graph);
  const ways = { resumes, warps, chains, mayWaitForBlocks: waitsForBlocks };
  writeBlocks(builder, facts, { graph, segments, groups, functions, ...ways });
  for (const [index, each] of graphs) {
    builder.define(
      called.get(index)!.index,
      writeFunction(each, { ...facts, ...registerFacts(program, kernel, each) }),
    );
  }
  return {
    bytes: builder.encode(),
    kernel,
    frame,
    graph,
    segments,
    resumes,
    chains,
    slots,
    constants,
    types,
    frameBytes: room + (graph.waits.some(({ step }) => multipliesMatrices(step)) ? MATRIX_BYTES : 0),
    localBytes,
    host,
    elementary,
    checks,
    shadow: shape,
    usesHost: steps.some(needsCaller),
    takesTurns: waitsForBlocks || graph.waits.some(({ step }) => isTurn(step)),
  };
}

/** Adds steps for the check of registers. */
function checkedGraphs({ kernel, called }: KernelGraphs, { uninitialized }: Checks): KernelGraphs {
  if (!uninitialized) return { kernel, called };
  const flagged = [...called].map(([index, graph]) => [index, withWrittenFlags(graph)] as const);
  return { kernel: withWrittenFlags(kernel), called: new Map(flagged) };
}

const needsCaller = ({ source: { call } }: Step): boolean =>
  call?.callee.kind === "builtin" && call.callee.name !== "__assertfail";

/**
 * @throws {@link Untranslatable} when threads may synchronize through the object on which a procedure works, which shadow
 * memory does not represent. Atomic operations on vectors are strong, too, but they are recorded as accesses.
 */
function refuseObjects(steps: readonly Step[]): void {
  const found = steps.find(
    ({ operation: { traits, modifiers } }) =>
      traits.procedure && traits.strong && modifiers.vec === undefined,
  );
  if (found !== undefined) throw new Untranslatable(`it has \`${found.operation.opcode}\``);
}

/** One step for each kind of instruction that JavaScript computes, by key. */
function foreignSteps(steps: readonly Step[], machine: Capabilities): ReadonlyMap<string, Step> {
  const found = new Map<string, Step>();
  for (const step of steps)
    if (needsHost(step, machine.fusedMultiplyAdd)) found.set(operationKey(step), step);
  return found;
}

/** The facts about a graph's registers that emitters use. */
function registerFacts(
  program: Program,
  { shared }: ProgramFunction,
  graph: Graph,
  types = valueTypes(graph),
  defined = definitions(graph),
): Pick<KernelFacts, "types" | "registerTypes" | "anyNaN" | "flushed" | "rangeOf"> {
  const addressOf = (operand: Operand): number | undefined => {
    if (operand.kind !== "variable" || operand.variable.kind !== "module-variable") return undefined;
    const { variable } = operand.variable;
    if (program.variables[variable]!.space !== "shared") return undefined;
    const placed = shared.find((one) => one.variable === variable);
    return placed && placed.offset + operand.offset;
  };
  return {
    types,
    registerTypes: graph.registerTypes,
    anyNaN: arithmeticOnly(defined, types),
    flushed: neverSubnormal(defined, types),
    rangeOf: valueRanges(defined, addressOf),
  };
}

/** Frame slots for registers that are live where threads wait or diverge, unless they can be rematerialized. */
function frameSlots(
  graph: Graph,
  divergencePoints: ReadonlySet<number>,
  { before }: Liveness,
  types: readonly ValueType[],
  { isRepeatable, isConstant }: Record<"isRepeatable" | "isConstant", (register: number) => boolean>,
): { slots: ReadonlyMap<number, number>; bytes: number } {
  const slots = new Map<number, number>();
  let bytes = 0;
  const add = (register: number) => {
    if (slots.has(register)) return;
    slots.set(register, bytes);
    bytes += bytesOf(types[register]!) * MAX_THREADS;
  };
  const addAlive = (block: number) =>
    before.forEach(block, (register) => {
      if (!isRepeatable(register)) add(register);
    });
  for (const { step, resume } of graph.waits) {
    addAlive(resume);
    // The operands of a waiting instruction must be in memory, where the engine that carries it out reads them.
    for (const register of step.reads) if (!isConstant(register)) add(register);
    step.writes.forEach(add);
  }
  divergencePoints.forEach(addAlive);
  return { slots, bytes };
}
