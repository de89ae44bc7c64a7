// The state of the device runtime while a grid runs: requested launches, streams and events, and each thread's last
// error.
import type { ProgramFunction } from "../program/program.js";
import type { ChildLaunches, ChildShape } from "../run/launch.js";
import type { BuiltInHost } from "./built-in.js";

/** A launch whose parameters the thread is writing. */
export interface Request {
  readonly kernel: ProgramFunction;
  readonly shape: ChildShape;
  /** The offset of its parameters in linear memory. */
  readonly offset: number;
}

/** The handles below it mean the default streams, `cudaStreamTailLaunch` and `cudaStreamFireAndForget`. */
const FIRST_HANDLE = 0x10n;

export class Grid {
  static readonly #grids = new WeakMap<ChildLaunches, Grid>();

  /** By the address of their parameters. */
  readonly requests = new Map<bigint, Request>();
  /** Streams and events. */
  readonly #handles = new Map<bigint, "stream" | "event">();
  #next = FIRST_HANDLE;
  /** `cudaError_t` by thread; threads without an error are absent. */
  readonly #errors = new Map<string, number>();

  static of(launches: ChildLaunches): Grid {
    let grid = Grid.#grids.get(launches);
    if (grid === undefined) {
      grid = new Grid();
      Grid.#grids.set(launches, grid);
    }
    return grid;
  }

  create(kind: "stream" | "event"): bigint {
    this.#handles.set(this.#next, kind);
    return this.#next++;
  }

  has(kind: "stream" | "event", handle: bigint): boolean {
    return (kind === "stream" && handle < FIRST_HANDLE) || this.#handles.get(handle) === kind;
  }

  /** Returns false for a handle that `create` did not return. */
  destroy(kind: "stream" | "event", handle: bigint): boolean {
    return this.#handles.get(handle) === kind && this.#handles.delete(handle);
  }

  lastError(host: BuiltInHost): number {
    return this.#errors.size === 0 ? 0 : (this.#errors.get(threadOf(host)) ?? 0);
  }

  setLastError(host: BuiltInHost, error: number): void {
    if (error !== 0) this.#errors.set(threadOf(host), error);
    else if (this.#errors.size > 0) this.#errors.delete(threadOf(host));
  }
}

function threadOf(host: BuiltInHost): string {
  const { block, thread } = host.place();
  return `${block} ${thread}`;
}
