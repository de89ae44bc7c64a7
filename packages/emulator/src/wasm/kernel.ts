// The translation of a kernel as its list of passes: graph, what is known of its registers, the segments, and around them the
// function that runs blocks.
import { arithmeticOnly, definitions, neverSubnormal, recipes } from "../control/facts.js";
import type { Graph, Step } from "../control/graph.js";
import { bytesOf, type Liveness, liveness } from "../control/liveness.js";
import { valueTypes } from "../control/registers.js";
import { isTurn } from "../control/turns.js";
import { waitingDistances } from "../control/uniform.js";
import { clearUnwritten } from "../control/unwritten.js";
import type { ProgramFunction } from "../program/program.js";
import type { LoadedProgram } from "../run/launch.js";
import { localBytesOf } from "../run/local-bytes.js";
import { isShared } from "../run/memory.js";
import { ModuleBuilder } from "./binary/module.js";
import type { ValueType } from "./binary/opcodes.js";
import { SEGMENT, writeBlocks } from "./blocks.js";
import type { Capabilities } from "./capabilities.js";
import type { KernelFacts } from "./emit/emitter.js";
import { BLOCK_UNIFORM } from "./emit/special.js";
import { needsHost } from "./emit/table.js";
import { type ModuleFrame, moduleFrame, operationKey } from "./frame.js";
import { buildGraphs, CALLED, writeFunction } from "./functions.js";
import { type Host, hostFor } from "./host.js";
import { writeSegment } from "./segment.js";
import { MAX_THREADS, type Segment } from "./segment-base.js";
import { withPartings } from "./simd/partings.js";
import { writeVectorSegment } from "./simd/segment.js";

/** A translated kernel. */
export interface Translation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kernel: ProgramFunction;
  readonly frame: ModuleFrame;
  readonly graph: Graph;
  /** The first is the kernel's beginning; by wait, the segment behind it is in `resumes`. */
  readonly segments: readonly Segment[];
  readonly resumes: readonly number[];
  /** By register: where its values begin in a frame. */
  readonly slots: ReadonlyMap<number, number>;
  readonly types: readonly ValueType[];
  readonly frameBytes: number;
  /** Bytes of local memory of a thread. */
  readonly localBytes: number;
  /** Whether it touches shared memory by addresses that are computed. */
  readonly needsShared: boolean;
  /** What JavaScript computes for it; undefined where it needs none. */
  readonly host: Host | undefined;
  /** Whether it calls `vprintf`. */
  readonly prints: boolean;
  /** Whether its threads may wait for each other in loops. */
  readonly takesTurns: boolean;
}

/** @throws Untranslatable saying why a kernel has to be run by the interpreter */
export async function translate(
  loaded: LoadedProgram,
  kernel: ProgramFunction,
  machine: Capabilities,
): Promise<Translation> {
  const { program, addresses, memory } = loaded;
  const { kernel: whole, called: graphs } = buildGraphs(program, kernel);
  const entries = [...new Set([0, ...whole.waits.map(({ resume }) => resume)])];
  const { graph, partings } = withPartings(whole, entries);
  const types = valueTypes(graph);
  const live = liveness(graph);
  clearUnwritten(graph, live);
  const defined = definitions(graph);
  const again = recipes(defined, (name) => BLOCK_UNIFORM.has(name));
  const { slots, bytes: frameBytes } = frameSlots(graph, partings, live, types, (register) =>
    again.has(register),
  );
  const concurrent = isShared(memory);
  const builder = new ModuleBuilder(concurrent ? "shared" : "own");
  const steps = [graph, ...graphs.values()].flatMap(({ blocks }) => blocks.flatMap((block) => block.steps));
  const foreign = foreignSteps(steps, machine);
  const host = await hostFor(
    foreign,
    steps,
    graph.waits.map(({ step }) => step),
  );
  const frame = moduleFrame(builder, foreign, host);
  const localBytes = graphs.size === 0 ? graph.localBytes : localBytesOf(program.functions, kernel);
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
    ...registerFacts(graph, types, defined),
    localBytes,
    called,
    module: frame,
    fusedMultiplyAdd: machine.fusedMultiplyAdd,
    concurrent,
  };
  const distances = waitingDistances(graph, (name) => BLOCK_UNIFORM.has(name));
  const plan = { graph, facts, live, recipes: again, slots, distances, partings };
  const segments = entries.map((entry) => writeSegment(plan, entry));
  const functions = segments.map(() => builder.function(SEGMENT));
  const groups = entries.map((entry, i) => writeVectorSegment(plan, entry, functions[i]!));
  const resumes = graph.waits.map(({ resume }) => entries.indexOf(resume));
  writeBlocks(builder, facts, { graph, segments, groups, functions, resumes });
  for (const [index, each] of graphs) {
    builder.define(called.get(index)!.index, writeFunction(each, { ...facts, ...registerFacts(each) }));
  }
  const needsShared = frame.sites.some(({ access }) => access?.space === "shared");
  return {
    bytes: builder.encode(),
    kernel,
    frame,
    graph,
    segments,
    resumes,
    slots,
    types,
    frameBytes,
    localBytes,
    needsShared,
    host,
    prints: steps.some(isPrint),
    takesTurns: graph.waits.some(({ step }) => isTurn(step)),
  };
}

const isPrint = ({ source: { call } }: Step): boolean =>
  call?.callee.kind === "builtin" && call.callee.name === "vprintf";

/** One step for each instruction that JavaScript computes, by its key. */
function foreignSteps(steps: readonly Step[], machine: Capabilities): ReadonlyMap<string, Step> {
  const found = new Map<string, Step>();
  for (const step of steps)
    if (needsHost(step, machine.fusedMultiplyAdd)) found.set(operationKey(step), step);
  return found;
}

/** What the emitters know of a graph's registers. */
function registerFacts(
  graph: Graph,
  types = valueTypes(graph),
  defined = definitions(graph),
): Pick<KernelFacts, "types" | "registerTypes" | "anyNaN" | "flushed"> {
  return {
    types,
    registerTypes: graph.registerTypes,
    anyNaN: arithmeticOnly(defined, types),
    flushed: neverSubnormal(defined, types),
  };
}

/** Places in a frame for registers that are alive where threads wait, or part, unless they can be computed again. */
function frameSlots(
  graph: Graph,
  partings: ReadonlySet<number>,
  { before }: Liveness,
  types: readonly ValueType[],
  isRepeatable: (register: number) => boolean,
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
    // What an instruction reads must be in memory for whoever carries it out.
    step.reads.forEach(add);
    step.writes.forEach(add);
  }
  partings.forEach(addAlive);
  return { slots, bytes };
}
