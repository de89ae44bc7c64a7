// Runs the threads of a block in rounds: each thread that can go on runs until it waits or exits, in order of their
// indices; then waits that are complete end, warp by warp, then barrier by barrier. So every launch runs the same way.

import type { FaultPlace } from "../run/fault.js";
import type { Dimensions } from "../run/launch.js";
import { ACTIVE_MASK_WAIT, barrierWait, warpWait } from "../run/waits.js";
import { KernelFault, type Machine } from "./machine.js";
import type { Code, Thread } from "./thread.js";
import { type Tracer, tracer } from "./trace.js";

const LANES = 32;
/** Instructions after which a thread lets others run, once one of the launch has seemed to wait for others in a loop. */
const LITTLE_PATIENCE = 2 ** 10;

/** Runs a block of a launch; gives its caller a turn whenever `machine.left` instructions have run. */
export function* runBlock(machine: Machine, kernel: Code): Generator<void, void> {
  const threads = begin(machine, kernel);
  const execute = executor(machine);
  /** Threads that let others run, and can go on. */
  const spinning = new Set<Thread>();
  for (;;) {
    spinning.clear();
    for (const thread of threads) {
      if (thread.exited || thread.wait !== undefined) continue;
      machine.enter(thread);
      let patience = machine.patience;
      while (machine.running && patience > 0) {
        if (machine.left === 0) {
          machine.leave();
          yield;
          machine.leftAtStart = machine.left;
        }
        patience -= machine.atMost(patience, execute);
      }
      if (machine.running) {
        spinning.add(thread);
        machine.patience = LITTLE_PATIENCE;
      }
      machine.leave();
    }
    if (threads.every(({ exited }) => exited)) return;
    if (meet(machine, spinning) || spinning.size > 0) continue;
    const waiting = threads.flatMap((thread) => describe(machine, thread));
    throw new KernelFault({ kind: "DEADLOCK", waiting });
  }
}

/** Makes the threads of a block, and clears what is theirs. */
function begin(machine: Machine, kernel: Code): readonly Thread[] {
  const { launch, shared, locals, registers } = machine;
  machine.bytes.fill(0, shared.offset, shared.offset + shared.bytes);
  machine.bytes.fill(0, locals.offset, locals.offset + locals.bytes);
  machine.barriers.clear();
  registers.clear();
  const [x, y, z] = launch.block;
  machine.watch?.begin(machine, x * y * z);
  const threads = Array.from({ length: x * y * z }, (_, index): Thread => {
    const id: Dimensions = [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))];
    const frame = { code: kernel, base: registers.take(kernel.frame), local: 0, pc: 0, whenDone: undefined };
    return {
      ...{ index, id, warp: Math.floor(index / LANES), lane: index % LANES, frames: [frame] },
      ...{ wait: undefined, exited: false, executed: 0, carry: 0 },
    };
  });
  machine.warps = Array.from({ length: Math.ceil(threads.length / LANES) }, (_, warp) =>
    threads.slice(LANES * warp, LANES * (warp + 1)),
  );
  return threads;
}

/** What runs the thread that was entered until it waits, exits, or a pause is due. */
function executor(machine: Machine): () => void {
  const { counts, trace } = machine.launch.hooks;
  if (counts === undefined && trace === undefined) return () => executePlain(machine);
  const follow = trace === undefined ? undefined : tracer(machine, trace);
  return () => executeObserved(machine, counts, follow);
}

function executePlain(machine: Machine): void {
  while (machine.running && machine.left > 0) {
    machine.left--;
    machine.at = machine.pc++;
    machine.code.steps[machine.at]!();
  }
}

function executeObserved(
  machine: Machine,
  counts: readonly Float64Array[] | undefined,
  follow: Tracer | undefined,
): void {
  while (machine.running && machine.left > 0) {
    follow?.before();
    machine.left--;
    machine.at = machine.pc++;
    const { code, at } = machine;
    const count = counts?.[code.index];
    if (count !== undefined && at < count.length) count[at]!++;
    code.steps[at]!();
    follow?.after();
  }
}

/** Ends waits that are complete. @returns whether there was one */
function meet(machine: Machine, spinning: ReadonlySet<Thread>): boolean {
  const { warps, watch } = machine;
  let met = false;
  for (const warp of warps) {
    for (const lanes of completeOperations(warp)) {
      watchWarpBarrier(machine, lanes, warp);
      finish(machine, lanes);
      met = true;
    }
  }
  for (const thread of warps.flat()) {
    if (thread.wait?.kind !== "arrived") continue;
    thread.wait = undefined;
    met = true;
  }
  for (const released of machine.barriers.release(warps)) {
    watch?.metAtBarrier(released, warps);
    met = true;
  }
  // `activemask` last: only lanes that nothing else lets go on are the mask.
  for (const warp of warps) {
    if (warp.some((lane) => !lane.exited && lane.wait === undefined && !spinning.has(lane))) continue;
    for (const lanes of activeGroups(warp)) {
      finish(machine, lanes);
      met = true;
    }
  }
  return met;
}

/** Of warp operations this one alone orders accesses to memory. */
const WARP_BARRIER = "bar.warp.sync";

function watchWarpBarrier({ watch }: Machine, lanes: readonly Thread[], warp: readonly Thread[]): void {
  const wait = lanes[0]?.wait;
  if (watch === undefined || wait?.kind !== "warp" || wait.opcode !== WARP_BARRIER) return;
  const named = warp.filter(({ lane }) => ((wait.mask >>> lane) & 1) === 1);
  watch.met(lanes, named);
}

function finish(machine: Machine, lanes: readonly Thread[]): void {
  const { wait } = lanes[0]!;
  if (wait !== undefined && "complete" in wait) wait.complete(lanes);
  for (const thread of lanes) thread.wait = undefined;
  machine.running = false;
}

/** Groups of lanes that wait for each other at one operation, all of them. */
function* completeOperations(warp: readonly Thread[]): Generator<readonly Thread[]> {
  for (const thread of warp) {
    const { wait } = thread;
    if (wait?.kind !== "warp") continue;
    const lanes = warp.filter(({ lane, exited }) => !exited && ((wait.mask >>> lane) & 1) === 1);
    const isHere = ({ wait: other }: Thread) =>
      other?.kind === "warp" && other.mask === wait.mask && other.opcode === wait.opcode;
    if (lanes.every(isHere)) yield lanes;
  }
}

/** Lanes that wait at the same `activemask`. */
function activeGroups(warp: readonly Thread[]): readonly (readonly Thread[])[] {
  const groups = new Map<string, Thread[]>();
  for (const thread of warp) {
    if (thread.wait?.kind !== "activemask") continue;
    const { code, pc } = thread.frames.at(-1)!;
    const key = `${code.index}:${pc}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [thread]);
    else known.push(thread);
  }
  return [...groups.values()];
}

/** Where a thread waits, and for what; nothing for one that has exited. */
function describe(machine: Machine, thread: Thread): readonly (FaultPlace & { readonly detail: string })[] {
  const { wait } = thread;
  if (wait === undefined || thread.exited) return [];
  const detail =
    wait.kind === "barrier"
      ? barrierWait(wait.barrier, wait.count)
      : wait.kind === "warp"
        ? warpWait(wait.opcode, wait.mask)
        : ACTIVE_MASK_WAIT;
  return [{ ...machine.place(thread), detail }];
}
