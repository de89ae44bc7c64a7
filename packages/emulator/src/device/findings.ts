// The findings of a device: those of all its launches, equal ones counted together, and its leaks.
import type { Program } from "../program/program.js";
import type { Dimensions } from "../run/dimensions.js";
import type { FaultContext } from "../run/fault-report.js";
import type { Finding, HostFrame } from "../run/finding.js";
import type { FindingLog } from "../run/finding-log.js";
import type { HeapBlock } from "../run/heap.js";
import { ADDRESS_BASE } from "../run/memory.js";
import type { PagedMemory } from "../run/paged-memory.js";
import { hostFrames } from "./host-frames.js";
import type { DeviceSettings } from "./options.js";

/** The most threads that a finding lists. */
const LISTED_THREADS = 8;

/** A buffer that has not been disposed. */
interface LiveBuffer {
  readonly label: string;
  readonly byteLength: number;
  readonly madeAt: readonly HostFrame[];
}

export class DeviceFindings {
  readonly #settings: DeviceSettings;
  readonly #memory: PagedMemory;
  readonly #all = new Map<string, Finding>();
  readonly #programs = new WeakMap<Program, number>();
  /** By offset. */
  readonly #live = new Map<number, LiveBuffer>();
  readonly #isOn: boolean;
  #programCount = 0;
  #leftOut = 0;

  constructor(settings: DeviceSettings, memory: PagedMemory) {
    this.#settings = settings;
    this.#memory = memory;
    this.#isOn = Object.values(settings.check).includes(true);
  }

  get all(): readonly Finding[] {
    return [...this.#all.values()];
  }

  /** The number of occurrences that are not kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** The log that a launch records into; undefined if it has no checks. */
  async log(shape: {
    readonly grid: Dimensions;
    readonly block: Dimensions;
  }): Promise<FindingLog | undefined> {
    const { check, mostFindings } = this.#settings;
    const { memory, races, uninitialized, sync } = check;
    if (!(memory || races || uninitialized || sync)) return undefined;
    const { FindingLog } = await import("../run/finding-log.js");
    return new FindingLog(check, shape, this.#memory, mostFindings);
  }

  /** Takes over what a launch has recorded. @returns the findings of this launch */
  async add(log: FindingLog | undefined, context: FaultContext): Promise<readonly Finding[]> {
    if (log === undefined || log.groups.length === 0) return [];
    const { groups } = log;
    this.#leftOut += log.leftOut;
    const { reportFindings } = await import("../run/finding-report.js");
    const program = this.#numberOf(context.launch.loaded.program);
    const found = new Map<string, Finding>();
    for (const [i, finding] of reportFindings(groups, context).entries()) {
      const key = `${program} ${finding.kernel} ${linesOf(finding) ?? groups[i]!.key}`;
      const known = found.get(key);
      found.set(key, known === undefined ? finding : joined(known, finding));
    }
    for (const [key, finding] of found) this.keep(key, finding);
    return [...found.values()];
  }

  /** The calls of the host that lead to the current allocation, if findings may name them. */
  allocating(): readonly HostFrame[] {
    if (!this.#isOn) return [];
    const { allocatedAt } = this.#settings;
    return allocatedAt === undefined ? hostFrames() : allocatedAt();
  }

  allocated(offset: number, buffer: LiveBuffer): void {
    if (this.#settings.check.leaks) this.#live.set(offset, buffer);
  }

  released(offset: number): void {
    this.#live.delete(offset);
  }

  /**
   * Records the buffers that are left when the device is disposed, and the memory that kernels have not freed.
   * Allocations of one place count as one finding.
   */
  findLeaks(blocks: readonly HeapBlock[]): void {
    if (!this.#settings.check.leaks) return;
    const left = [...this.#live].map(([offset, buffer]) => ({
      ...{ ...buffer, address: BigInt(ADDRESS_BASE + offset) },
      key: buffer.madeAt.length === 0 ? buffer.label : JSON.stringify(buffer.madeAt),
    }));
    const ofKernels = blocks.map(({ place, ...block }) => ({
      ...{ ...block, madeAt: [] },
      key: `heap ${place.function} ${place.instruction}`,
    }));
    for (const { key, label, byteLength, madeAt, address } of [...left, ...ofKernels]) {
      const bytes = byteLength === 1 ? "1 byte" : `${byteLength} bytes`;
      this.keep(`LEAK ${key}`, {
        ...{ kind: "LEAK", check: "leaks", severity: "error", kernel: undefined, place: undefined },
        message: `expected a buffer that is freed, found ${label} of ${bytes}, which is not`,
        ...{ occurrences: 1, threads: [], threadCount: 0, blockCount: 0 },
        bytes: byteLength,
        allocation: { label, address, byteLength, freed: false, madeAt },
      });
    }
    this.#live.clear();
  }

  keep(key: string, finding: Finding): void {
    const known = this.#all.get(key);
    if (known !== undefined) this.#all.set(key, joined(known, finding));
    else if (this.#all.size < this.#settings.mostFindings) this.#all.set(key, finding);
    else this.#leftOut += finding.occurrences;
  }

  #numberOf(program: Program): number {
    let number = this.#programs.get(program);
    if (number === undefined) {
      number = this.#programCount++;
      this.#programs.set(program, number);
    }
    return number;
  }
}

/**
 * The key by which findings with source lines are equal, because a line can have many instructions, above all in an
 * unrolled loop. Undefined if a line is not known.
 */
function linesOf({ kind, severity, place, other, allocation }: Finding): string | undefined {
  const places = [place, other].filter((one) => one !== undefined);
  if (places.length === 0 || places.some(({ frames }) => frames.length === 0)) return undefined;
  const lines = places.map(({ frames }) => frames.map(({ file, line }) => `${file}:${line}`).join(" "));
  return [kind, severity, allocation?.address, ...lines.sort()].join(" ");
}

/** Equal findings of one or several launches as one. */
function joined(one: Finding, other: Finding): Finding {
  const ids = new Set(one.threads.map((id) => `${id.block} ${id.thread}`));
  const more = other.threads.filter((id) => !ids.has(`${id.block} ${id.thread}`));
  return {
    ...one,
    occurrences: one.occurrences + other.occurrences,
    threads: [...one.threads, ...more].slice(0, LISTED_THREADS),
    threadCount: Math.max(one.threadCount, other.threadCount),
    blockCount: Math.max(one.blockCount, other.blockCount),
  };
}
