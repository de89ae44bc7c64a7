// The findings of a launch while it runs. Equal ones are counted: the same kind, instruction and allocation. Only plain
// data is kept; ./finding-report.js describes it when the launch has ended.
import type { LaunchChecks } from "./checks.js";
import type { Dimensions } from "./dimensions.js";
import type { FaultPlace, RecordedFault } from "./fault.js";
import { ADDRESS_BASE, PAGE_BYTES } from "./memory.js";
import { type Neighbor, neighborOf, neighborOfFault } from "./neighbor.js";
import type { PagedMemory } from "./paged-memory.js";

/** The most threads that a finding lists. */
const LISTED_THREADS = 8;
/** The most threads that are told apart. */
const MOST_THREADS = 65_536;

/** Equal faults. */
export interface FaultGroup {
  /** Identifies it among the findings of the program. */
  readonly key: string;
  /** The first of them. */
  readonly fault: RecordedFault;
  /** The allocation that it concerns, which the kernel may free later. */
  readonly neighbor: Neighbor | undefined;
  occurrences: number;
  readonly threads: FaultPlace[];
  /** Linear indices of threads and of blocks. */
  readonly threadIds: Set<number>;
  readonly blockIds: Set<number>;
}

/** Spaces whose addresses are generic. */
const HAS_ALLOCATION: ReadonlySet<string> = new Set(["generic", "global", "const"]);

export class FindingLog implements LaunchChecks {
  readonly memory: boolean;
  readonly races: boolean;
  readonly uninitialized: boolean;
  readonly sync: boolean;
  /** The number of occurrences that belong to none of the groups, because there were too many groups. */
  leftOut = 0;
  readonly #groups = new Map<string, FaultGroup>();
  /** The allocation nearest to each page. */
  readonly #nearest = new Map<number, number>();
  readonly #most: number;
  readonly #grid: Dimensions;
  readonly #block: Dimensions;
  readonly #memory: PagedMemory;

  constructor(
    checks: Pick<LaunchChecks, "memory" | "races" | "uninitialized" | "sync">,
    shape: { readonly grid: Dimensions; readonly block: Dimensions },
    memory: PagedMemory,
    most: number,
  ) {
    this.memory = checks.memory;
    this.races = checks.races;
    this.uninitialized = checks.uninitialized;
    this.sync = checks.sync;
    this.#grid = shape.grid;
    this.#block = shape.block;
    this.#memory = memory;
    this.#most = most;
  }

  get groups(): readonly FaultGroup[] {
    return [...this.#groups.values()];
  }

  neighborOf(fault: RecordedFault): Neighbor | undefined {
    return neighborOfFault(fault, this.#memory);
  }

  record(fault: RecordedFault, known?: Neighbor): void {
    const key = this.#keyOf(fault, known);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= this.#most) {
        this.leftOut++;
        return;
      }
      const neighbor = known ?? this.neighborOf(fault);
      group = {
        key,
        fault,
        neighbor,
        occurrences: 0,
        threads: [],
        threadIds: new Set(),
        blockIds: new Set(),
      };
      this.#groups.set(key, group);
    }
    group.occurrences++;
    for (const place of placesOf(fault)) this.#addPlace(group, place);
  }

  #addPlace({ threads, threadIds, blockIds }: FaultGroup, place: FaultPlace): void {
    const block = linear(place.block, this.#grid);
    blockIds.add(block);
    if (threadIds.size >= MOST_THREADS) return;
    const [x, y, z] = this.#block;
    const id = block * (x * y * z) + linear(place.thread, this.#block);
    if (threadIds.has(id)) return;
    threadIds.add(id);
    if (threads.length < LISTED_THREADS) threads.push(place);
  }

  #keyOf(fault: RecordedFault, known: Neighbor | undefined): string {
    const { kind } = fault;
    switch (fault.kind) {
      case "BUDGET":
      case "TIMEOUT":
      case "ABORTED":
        return kind;
      case "DEADLOCK": {
        const places = fault.waiting.map(({ function: fn, instruction }) => `${fn} ${instruction}`);
        return [kind, ...new Set(places)].join(" ");
      }
    }
    const place = `${kind} ${fault.function} ${fault.instruction}`;
    switch (fault.kind) {
      case "RACE": {
        const other = `${fault.other.function} ${fault.other.instruction}`;
        const allocation = fault.space === "shared" ? "shared" : this.#allocationOf(fault.address, known);
        return `${place} ${other} ${fault.sameValue} ${allocation}`;
      }
      case "UNINITIALIZED":
        return `${place} ${fault.address === undefined ? fault.what : "shared"}`;
      case "OUT_OF_BOUNDS":
      case "MISALIGNED":
      case "USE_AFTER_FREE":
        return `${place} ${HAS_ALLOCATION.has(fault.space) ? this.#allocationOf(fault.address, known) : fault.space}`;
      default:
        return place;
    }
  }

  /** The offset of the allocation nearest to an address. */
  #allocationOf(address: bigint, known: Neighbor | undefined): number {
    if (known !== undefined) return known.allocation.offset;
    const offset = Number(address) - ADDRESS_BASE;
    if (offset < 0 || offset >= 2 ** 32) return -1;
    const page = Math.floor(offset / PAGE_BYTES);
    let found = this.#nearest.get(page);
    if (found === undefined) {
      found = neighborOf(address, this.#memory)?.allocation.offset ?? -1;
      this.#nearest.set(page, found);
    }
    return found;
  }
}

function placesOf(fault: RecordedFault): readonly FaultPlace[] {
  if (fault.kind === "DEADLOCK") return fault.waiting;
  return "thread" in fault ? [fault] : [];
}

const linear = ([x, y, z]: Dimensions, [width, height]: Dimensions): number => x + width * (y + height * z);
