// A translated kernel as a WebAssembly instance on a device's memory. Its imports are directed to the launch that is
// running.
import type { Value } from "@mm-ptx/columns/arithmetic";
import type { WasmMemory } from "../run/memory.js";
import { RUN_BLOCKS, segmentName } from "./blocks.js";
import { TOUCH_KINDS, type TouchKind, touchName } from "./checks/shadow-code.js";
import { GLOBALS, type GlobalName } from "./frame.js";
import type { Translation } from "./translation.js";
import { warpName } from "./warp/functions.js";

/** The callbacks of translated code while it runs. */
export interface RunningLaunch {
  fault(site: number, thread: number, address: bigint): number;
  trap(site: number, thread: number): never;
  refuel(site: number, left: number): number;
  call(site: number, thread: number, frame: number): void;
  unwritten(site: number, thread: number, place: number): void;
  race(place: number, now: number, before: number): void;
  stored(): void;
  goesOn(): void;
  startsOver(thread: number): void;
  shadowPage(page: number): void;
  time(left: number): bigint;
  /** @param sources the bits of the sources, as signed numbers */
  procedure(site: number, thread: number, sources: readonly bigint[]): readonly bigint[];
  diverged(segment: number, seen: number): void;
  together(wait: number): number;
  yields(wait: number): void;
}

/** The target duration of a range of blocks, in milliseconds. */
const RANGE = 4;
const MOST_BLOCKS = 2 ** 24;

export class KernelInstance {
  readonly globals: Readonly<Record<GlobalName, WebAssembly.Global>>;
  readonly runBlocks: (count: number) => void;
  readonly segments: readonly ((from: number, to: number) => number)[];
  /** For each wait, what carries it out for whole warps; see `writeWarpFunction`. */
  readonly warps: readonly (((from: number, to: number) => number) | undefined)[];
  /** The functions that record accesses, by kind; absent without the check for races. */
  readonly touch: Partial<Record<TouchKind, (place: number, bytes: number, now: number) => void>>;
  /** The number of blocks that take about as long as a range should, as measured last. */
  range = 1;
  #running: RunningLaunch | undefined;

  constructor(translation: Translation, memory: WasmMemory) {
    const env: Record<string, WebAssembly.ImportValue> = {
      memory: memory as WebAssembly.Memory,
      ...this.#callbacks(),
      ...operations(translation),
      ...this.#procedures(translation),
      ...translation.elementary,
    };
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(translation.bytes), { env });
    this.globals = Object.fromEntries(GLOBALS.map((name) => [name, exports[name]])) as Record<
      GlobalName,
      WebAssembly.Global
    >;
    this.runBlocks = exports[RUN_BLOCKS] as (count: number) => void;
    this.segments = translation.segments.map(
      (_, i) => exports[segmentName(i)] as (from: number, to: number) => number,
    );
    this.touch = Object.fromEntries(TOUCH_KINDS.map((kind) => [kind, exports[touchName(kind)]]));
    this.warps = translation.graph.waits.map(
      (_, wait) => exports[warpName(wait)] as ((from: number, to: number) => number) | undefined,
    );
  }

  /**
   * Runs a range of blocks, and adjusts the length of the next one to the time that it took.
   * @returns milliseconds
   */
  timed(work: () => void): number {
    const start = performance.now();
    work();
    const took = performance.now() - start;
    // The first ranges run code that is not optimized yet, and a call that is in progress is not switched to optimized
    // code.
    if (took < RANGE / 2) this.range = Math.min(this.range * 2, MOST_BLOCKS);
    else if (took > RANGE * 2) this.range = Math.max(1, this.range >> 1);
    return took;
  }

  /** Calls `work` while the callbacks of translated code go to `launch`. */
  during(launch: RunningLaunch, work: () => void): void {
    this.#running = launch;
    try {
      work();
    } finally {
      this.#running = undefined;
    }
  }

  /** The imports that carry out procedures: one result is returned as it is, and several as a list. */
  #procedures({ frame }: Translation): Record<string, WebAssembly.ImportValue> {
    type Call = (site: number, thread: number, ...sources: bigint[]) => unknown;
    const call: Call = (site, thread, ...sources) => {
      const results = this.#running!.procedure(site, thread, sources);
      return results.length === 1 ? results[0] : results;
    };
    return Object.fromEntries([...frame.procedures.keys()].map((key) => [key, call]));
  }

  #callbacks(): { readonly [Name in Exclude<keyof RunningLaunch, "procedure">]: RunningLaunch[Name] } {
    const running = () => this.#running!;
    return {
      fault: (site, thread, address) => running().fault(site, thread, address),
      trap: (site, thread) => running().trap(site, thread),
      refuel: (site, left) => running().refuel(site, left),
      time: (left) => running().time(left),
      call: (site, thread, frame) => running().call(site, thread, frame),
      unwritten: (site, thread, place) => running().unwritten(site, thread, place),
      race: (place, now, before) => running().race(place, now, before),
      stored: () => running().stored(),
      goesOn: () => running().goesOn(),
      startsOver: (thread) => running().startsOver(thread),
      shadowPage: (page) => running().shadowPage(page),
      diverged: (segment, seen) => running().diverged(segment, seen),
      together: (wait) => running().together(wait),
      yields: (wait) => running().yields(wait),
    };
  }
}

/** Instructions that JavaScript computes. WebAssembly passes signed integers; they are converted to unsigned ones. */
function operations({ frame }: Translation): Record<string, (...values: Value[]) => Value> {
  const found: Record<string, (...values: Value[]) => Value> = {};
  for (const [key, { scalar }] of frame.operations) {
    const { args, evaluate, second } = scalar;
    const plain = args.every((kind) => kind === "f32" || kind === "f64");
    const taken = (values: Value[]) =>
      values.map((value, i) => {
        if (args[i] === "i32") return (value as number) >>> 0;
        return args[i] === "i64" ? BigInt.asUintN(64, value as bigint) : value;
      }) as [Value, Value, Value, Value];
    found[key] = plain ? evaluate : (...values) => evaluate(...taken(values));
    if (second !== undefined) found[`${key}/second`] = (...values) => second(...taken(values));
  }
  return found as Record<string, (...values: Value[]) => Value>;
}
