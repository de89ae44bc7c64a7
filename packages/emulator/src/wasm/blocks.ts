// Generates the function that runs blocks one after another: each from its beginning through its waits, as long as all
// of its threads wait for the same thing. A barrier of all threads costs one call; for other waits, the engine is
// called.
import type { Graph } from "../control/graph.js";
import type { Step } from "../control/step.js";
import { isWarpBarrier } from "../control/waits.js";
import { RESERVED } from "../program/reserved.js";
import { MOST_ROUNDS } from "../schedule/block.js";
import { Code } from "./binary/code.js";
import type { ModuleBuilder } from "./binary/module.js";
import { hasChecks } from "./checks/checks.js";
import { BLOCK_EPOCH } from "./checks/layout.js";
import type { KernelFacts } from "./emit/facts.js";
import { EXITED, MOST_ENDS, type Segment } from "./segment-base.js";
import type { Chain } from "./warp/chain.js";

/** The name of the exported function, which takes the number of blocks to run. The globals hold the first one. */
export const RUN_BLOCKS = "runBlocks";
/** The export name of each segment. */
export const segmentName = (segment: number): string => `segment${segment}`;

/**
 * The signature of a segment's function: it takes the first thread and the one after the last, and returns its ends.
 */
export const SEGMENT = { parameters: ["i32", "i32"], results: ["i32"] } as const;

const WARP = 32;

/** The segments of a kernel, by number. */
interface Segments {
  readonly graph: Graph;
  readonly segments: readonly Segment[];
  /** The variants that run four threads at once; undefined for segments without one. */
  readonly groups: readonly (Segment | undefined)[];
  /** The functions of `segments`. */
  readonly functions: readonly number[];
  /** For each wait, the segment after it. */
  readonly resumes: readonly number[];
  /** For each wait, the function that carries it out for whole warps, if there is one. */
  readonly warps: readonly (number | undefined)[];
  /** Whether blocks may wait for each other in loops with waits. */
  readonly mayWaitForBlocks: boolean;
  /** For waits that others follow, the function that carries them out for whole warps. */
  readonly chains: readonly (Chain | undefined)[];
}

export function writeBlocks(
  builder: ModuleBuilder,
  facts: KernelFacts,
  { graph, segments, groups, functions: alone, resumes, warps, chains, mayWaitForBlocks }: Segments,
): void {
  const functions = segments.map(({ code }, i) => {
    builder.define(alone[i]!, code);
    builder.export(segmentName(i), alone[i]!);
    const group = groups[i];
    if (group === undefined) return alone[i]!;
    const index = builder.function(SEGMENT);
    builder.define(index, group.code);
    return index;
  });
  const run = builder.function({ parameters: ["i32"], results: [] });
  builder.export(RUN_BLOCKS, run);
  const { globals, imports } = facts.module;
  const code = new Code(1);
  const remaining = 0;
  const threads = code.local("i32");
  const seen = code.local("i32");
  code
    .getGlobal(globals.ntidX)
    .getGlobal(globals.ntidY)
    .op("i32.mul")
    .getGlobal(globals.ntidZ)
    .op("i32.mul")
    .set(threads);
  const loop = code.loop();
  const done = code.block();
  zeroMemories(code, facts, threads);
  beginChecks(code, facts);
  const call = (segment: number) => {
    if (facts.shadow !== undefined) code.i32(-1).setGlobal(globals.group);
    return code.i32(0).get(threads).call(functions[segment]!).set(seen);
  };
  if (graph.waits.length === 0) call(0).br(done);
  else {
    // There is one label for each segment's ends. The case of a wait runs the segment after it and continues with that
    // segment's ends.
    const ends = code.local("i32");
    call(0).i32(0).set(ends);
    const rounds = mayWaitForBlocks ? code.local("i32") : undefined;
    if (rounds !== undefined) code.i32(0).set(rounds);
    const again = code.loop();
    const cases = segments.map(() => code.block()).reverse();
    code.get(ends).brTable(cases);
    segments.forEach((segment, number) => {
      code.end();
      segment.ends.forEach((end, bit) => {
        if (bit >= MOST_ENDS) return;
        code
          .get(seen)
          .i32(1 << bit)
          .op("i32.eq")
          .if();
        if (end === EXITED) code.br(done);
        else {
          afterFindings(code, facts);
          if (rounds !== undefined) {
            code.get(rounds).i32(1).op("i32.add").tee(rounds).i32(MOST_ROUNDS).op("i32.eq").if();
            code.i32(end).call(imports.yields).br(done).end();
          }
          const chain = chains[end];
          if (chain !== undefined) {
            const next = resumes[chain.last]!;
            code
              .get(threads)
              .i32(WARP - 1)
              .op("i32.and")
              .op("i32.eqz")
              .if();
            code.i32(0).get(threads).call(chain.function);
            call(next).i32(next).set(ends).br(again).end();
          }
          const warp = warps[end];
          const { step } = graph.waits[end]!;
          const isBarrier = isBarrierOfAll(step) && (step.operation.results === 0 || warp !== undefined);
          if (warp !== undefined) {
            code.i32(0).get(threads).call(warp);
            if (isBarrier) code.op("drop");
            else code.op("i32.eqz").if();
          }
          if (isBarrier) beginEpoch(code, facts);
          else if (facts.shadow !== undefined && isWarpBarrier(step)) beginEpoch(code, facts, "warps");
          else {
            code.i32(end).call(imports.together).op("i32.eqz").brIf(done);
          }
          if (warp !== undefined && !isBarrier) code.end();
          call(resumes[end]!).i32(resumes[end]!).set(ends).br(again);
        }
        code.end();
      });
      code.i32(number).get(seen).call(imports.diverged).br(done);
    });
    code.end();
  }
  code.end();
  afterFindings(code, facts);
  nextBlock(code, facts);
  code.get(remaining).i32(1).op("i32.sub").tee(remaining).brIf(loop);
  code.end();
  builder.define(run, code);
}

/** Whether all threads of the block wait at a barrier whose number is known. */
function isBarrierOfAll({ source: { operands }, operation: { traits, words, results } }: Step): boolean {
  if (traits.waits !== "barrier" || words.has("arrive")) return false;
  const [barrier, count] = operands.slice(results);
  return barrier?.kind === "immediate" && (count === undefined || count.kind === "sink");
}

/** Zeroes shared and local memory at the beginning of a block. */
function zeroMemories(code: Code, { module, kernel, localBytes }: KernelFacts, threads: number): void {
  const { shared, sharedBytes, local } = module.globals;
  if (kernel.shared.length > 0) code.getGlobal(shared).i32(0).getGlobal(sharedBytes).fill();
  if (localBytes > 0) code.getGlobal(local).i32(0).get(threads).i32(localBytes).op("i32.mul").fill();
}

/** At the beginning of a block, its shared memory is unwritten, and no access of another thread precedes. */
function beginChecks(code: Code, facts: KernelFacts): void {
  const { program, kernel, checks, module } = facts;
  const { written, sharedBytes } = module.globals;
  if (checks.uninitialized && kernel.shared.length > 0) {
    code.getGlobal(written).i32(0).getGlobal(sharedBytes).fill();
    // Code that uses reserved memory only relies on single bits, which it accesses with atomic operations on whole words.
    const reserved = kernel.shared.find(({ variable }) => program.variables[variable] === RESERVED);
    if (reserved !== undefined)
      code.getGlobal(written).i32(reserved.offset).op("i32.add").i32(0xff).i32(RESERVED.bytes).fill();
  }
  beginEpoch(code, facts);
}

/** Findings of one thread before a wait precede those of the next thread, and those after the wait. */
function afterFindings(code: Code, { checks, module }: KernelFacts): void {
  if (!hasChecks(checks)) return;
  code.getGlobal(module.globals.found).if();
  code.call(module.imports.goesOn).end();
}

/** All threads of the block have met, or all threads of each warp: a new epoch begins for them. */
function beginEpoch(code: Code, { shadow, module }: KernelFacts, whose: "block" | "warps" = "block"): void {
  if (shadow === undefined) return;
  const { clock, epochs } = module.globals;
  code.getGlobal(clock).i32(1).op("i32.add").setGlobal(clock);
  if (shadow.shape.warps) {
    for (let at = 0; at < BLOCK_EPOCH; at += 4)
      code.getGlobal(epochs).getGlobal(clock).memory("i32.store", at);
  }
  if (whose === "block") code.getGlobal(epochs).getGlobal(clock).memory("i32.store", BLOCK_EPOCH);
}

function nextBlock(code: Code, { module }: KernelFacts): void {
  const { ctaidX, ctaidY, ctaidZ, nctaidX, nctaidY } = module.globals;
  const increment = (global: number) => code.getGlobal(global).i32(1).op("i32.add").setGlobal(global);
  const wraps = (global: number, size: number) => {
    code.getGlobal(global).getGlobal(size).op("i32.eq").if();
    code.i32(0).setGlobal(global);
  };
  increment(ctaidX);
  wraps(ctaidX, nctaidX);
  increment(ctaidY);
  wraps(ctaidY, nctaidY);
  increment(ctaidZ);
  code.end().end();
}
