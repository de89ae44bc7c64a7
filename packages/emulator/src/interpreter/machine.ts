// The state that the steps of a launch operate on: the running thread and its frame, the registers, and memory with its
// checks.

import type { Operation } from "../program/operation.js";
import type { LaunchChecks } from "../run/checks.js";
import type { Dimensions } from "../run/dimensions.js";
import type { AccessKind, Fault, FaultPlace } from "../run/fault.js";
import type { Launch } from "../run/launch.js";
import { stackWords } from "../run/local-bytes.js";
import { ADDRESS_UPPER, CLUSTER_UPPER, PAGE_BYTES } from "../run/memory.js";
import { Cluster, mappedPlace } from "./cluster.js";
import { Registers } from "./registers.js";
import type { Code, Frame, Thread } from "./thread.js";
import type { Watch } from "./watch.js";

/** Thrown by a step to stop the launch. */
export class KernelFault {
  constructor(readonly fault: Fault) {}
}

export type Access = AccessKind;
export type Space = "generic" | "global" | "const" | "shared" | "local" | "param";

/** A part of linear memory that belongs to the launch. */
export interface Area {
  readonly offset: number;
  readonly bytes: number;
}

/** The memory that belongs to one block. */
export interface BlockMemory {
  readonly shared: Area;
  /** The local memory of all threads of the block. */
  readonly locals: Area;
}

const NO_AREA: Area = { offset: 0, bytes: 0 };

const UPPER = 2 ** 32;

/** Instructions that a thread runs before it yields, until some thread of the launch has appeared to spin in a loop. */
const GREAT_PATIENCE = 2 ** 18;
/** The same from then on. */
export const LITTLE_PATIENCE = 2 ** 10;

export class Machine {
  readonly registers: Registers;
  /** A view of linear memory, renewed after each pause. */
  bytes = new Uint8Array(0);
  view = new DataView(new ArrayBuffer(0));
  #pages = new Uint16Array(0);

  thread!: Thread;
  frame!: Frame;
  code!: Code;
  /** The first slot of the frame. */
  base = 0;
  /** The indices of the next instruction and of the running one. */
  pc = 0;
  at = 0;
  /** Whether the thread continues, that is, neither waits nor has exited. */
  running = false;
  /** The number of steps until the next pause, and its value when the thread resumed. */
  left = 0;
  leftAtStart = 0;
  /** Instructions that a thread runs before it yields, as it may be spinning on a value that others write. */
  patience: number;
  /** Whether the thread yields at its next backward jump. */
  yields = false;
  /** The last backward jump. */
  loop: { readonly function: number; readonly first: number; readonly last: number } | undefined;

  /** The running block: its index in the grid, its memory, and the checks of that memory. */
  block: Dimensions = [0, 0, 0];
  shared = NO_AREA;
  locals = NO_AREA;
  watch: Watch | undefined;
  /** The cluster of the running block, and the rank that the block has there. */
  cluster = new Cluster(1, 0);
  rank = 0;
  readonly checks: LaunchChecks | undefined;

  constructor(
    readonly launch: Launch,
    readonly params: Area,
    /** Memory to which the memory check redirects invalid accesses; its contents have no meaning. */
    readonly nowhere: Area,
    /** Bytes of local memory per thread. */
    readonly localBytes: number,
    /** Offsets of shared variables, by index into `Program.variables`. */
    readonly sharedOffsets: ReadonlyMap<number, number>,
    /** Code by index into `Program.functions`, compiled on first use. */
    readonly codeOf: (index: number) => Code,
  ) {
    // The blocks of a cooperative launch are expected to wait for each other.
    this.patience = launch.workspace === undefined ? GREAT_PATIENCE : LITTLE_PATIENCE;
    this.checks = launch.hooks.checks;
    this.registers = new Registers(this.checks?.uninitialized === true);
  }

  /** Renews the view of memory, which may have grown. */
  refresh(): void {
    const { memory, pageTable } = this.launch.loaded.memory;
    if (memory.buffer === this.bytes.buffer) return;
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.#pages = new Uint16Array(memory.buffer, pageTable, UPPER / PAGE_BYTES);
  }

  /** Makes a thread the running thread. */
  enter(thread: Thread): void {
    this.thread = thread;
    this.resume(thread.frames.at(-1)!);
    this.running = true;
    this.leftAtStart = this.left;
  }

  /** Suspends the running thread at its current instruction. */
  leave(): void {
    this.frame.pc = this.pc;
    this.thread.executed += this.leftAtStart - this.left;
    this.leftAtStart = this.left;
  }

  /** Runs at most `steps` steps, until the thread stops or a pause is due. @returns how many steps ran */
  atMost(steps: number, execute: () => void): number {
    const later = Math.max(0, this.left - steps);
    const before = this.left;
    this.left -= later;
    this.leftAtStart -= later;
    execute();
    this.left += later;
    this.leftAtStart += later;
    return before - this.left;
  }

  /** The number of instructions that the thread has executed, including the running one. */
  executed(): number {
    return this.thread.executed + this.leftAtStart - this.left;
  }

  /** Makes a frame of the thread the running frame. */
  resume(frame: Frame): void {
    this.frame = frame;
    this.code = frame.code;
    this.base = frame.base;
    this.pc = frame.pc;
  }

  /** Begins a call of a function. @throws KernelFault if local memory is exhausted */
  call(code: Code): Frame {
    const { frames } = this.thread;
    const caller = frames.at(-1);
    const local = caller === undefined ? 0 : caller.local + caller.code.function.frameBytes;
    if (local + code.function.frameBytes > this.localBytes) {
      throw this.trap(stackWords(this.localBytes));
    }
    const frame: Frame = { code, base: this.registers.take(code.frame), local, pc: 0, whenDone: undefined };
    frames.push(frame);
    return frame;
  }

  /** The start of the thread's local memory. */
  localBase(thread: Thread = this.thread): number {
    return this.locals.offset + thread.index * this.localBytes;
  }

  place(thread: Thread = this.thread): FaultPlace {
    const frame = thread.frames.at(-1)!;
    const instruction = thread === this.thread && this.running ? this.at : frame.pc - 1;
    return {
      block: this.block,
      thread: thread.id,
      function: frame.code.index,
      instruction: Math.max(0, instruction),
    };
  }

  /** The operation of the running instruction. */
  get operation(): Operation {
    return this.code.function.instructions[this.at]!.operation;
  }

  /** The fault for an invalid operation of the program. */
  trap(detail: string): KernelFault {
    return new KernelFault({ kind: "TRAP", detail, ...this.place() });
  }

  /** The fault for a synchronization that is not allowed. */
  wrongSync(detail: string, thread: Thread = this.thread): KernelFault {
    return new KernelFault({ kind: "TRAP", sync: true, detail, ...this.place(thread) });
  }

  /** The offset of a generic address. @throws KernelFault if it is misaligned or nothing is allocated there */
  generic(
    low: number,
    high: number,
    displacement: number,
    bytes: number,
    access: Access,
    space: Space,
    touched: number = bytes,
  ): number {
    let offset = low + displacement;
    if (high !== ADDRESS_UPPER || offset < 0 || offset >= UPPER) {
      const address = BigInt.asUintN(64, (BigInt(high) << 32n) + BigInt(low) + BigInt(displacement));
      if (Number(address >> 32n) === CLUSTER_UPPER)
        return this.inArea(this.shared, Number(address & 0xffffffffn), bytes, access, space);
      if (Number(address >> 32n) !== ADDRESS_UPPER)
        return this.#outside("OUT_OF_BOUNDS", address, bytes, access, space);
      offset = Number(address & 0xffffffffn);
    }
    return this.checked(offset, bytes, access, space, touched);
  }

  /**
   * Checks an offset of linear memory against the allocations and returns it.
   *
   * @param touched how many bytes of the access must be allocated
   * @throws KernelFault if they are not
   */
  checked(offset: number, bytes: number, access: Access, space: Space, touched: number = bytes): number {
    if (offset % bytes !== 0) return this.#outside("MISALIGNED", this.address(offset), bytes, access, space);
    const step = Math.min(touched, 16);
    for (let at = offset; at < offset + touched; at += step) {
      if ((at % PAGE_BYTES) + step > this.#pages[Math.floor(at / PAGE_BYTES)]!) {
        return this.#outside("OUT_OF_BOUNDS", this.address(offset), bytes, access, space);
      }
    }
    this.watch?.touch(this, offset, touched, access);
    return offset;
  }

  /** The offset of an address in an area of the launch. @throws KernelFault if it is out of bounds or misaligned */
  inArea(area: Area, address: number, bytes: number, access: Access, space: Space): number {
    if (address % bytes !== 0) return this.#outside("MISALIGNED", windowed(address), bytes, access, space);
    if (address < 0 || address + bytes > area.bytes) {
      const mapped = area === this.shared ? this.#mapped(address, bytes, access) : undefined;
      return mapped ?? this.#outside("OUT_OF_BOUNDS", windowed(address), bytes, access, space);
    }
    const offset = area.offset + address;
    this.watch?.touch(this, offset, bytes, access);
    return offset;
  }

  /** The offset of an address in the shared memory of a block of the cluster; undefined if it is not inside. */
  #mapped(address: number, bytes: number, access: Access): number | undefined {
    const place = mappedPlace(address);
    if (place === undefined || place.rank >= this.cluster.size) return undefined;
    const member = this.cluster.member(place.rank);
    if (member === undefined)
      throw this.wrongSync(
        `an access to shared memory of block ${place.rank} of its cluster, which has not begun or has ended: synchronize the cluster before and after such accesses`,
      );
    const { shared, wrote } = member;
    if (place.offset + bytes > shared.bytes) return undefined;
    if (place.rank === this.rank) return this.inArea(this.shared, place.offset, bytes, access, "shared");
    const offset = shared.offset + place.offset;
    if (access !== "load") wrote(offset, bytes);
    return offset;
  }

  /** The offset of a 64-bit address in an area, given as a sum. @throws KernelFault as `inArea` does */
  sumInArea(
    area: Area,
    low: number,
    high: number,
    displacement: number,
    bytes: number,
    access: Access,
    space: Space,
  ): number {
    if (high === 0 && low + displacement >= 0) {
      return this.inArea(area, low + displacement, bytes, access, space);
    }
    const address = BigInt.asUintN(64, (BigInt(high) << 32n) + BigInt(low) + BigInt(displacement));
    if (address < UPPER) return this.inArea(area, Number(address), bytes, access, space);
    const kind = address % BigInt(bytes) === 0n ? "OUT_OF_BOUNDS" : "MISALIGNED";
    return this.#outside(kind, address, bytes, access, space);
  }

  /** The thread's local memory as an area. */
  localArea(): Area {
    return { offset: this.localBase(), bytes: this.localBytes };
  }

  /** Whether an offset is in shared memory. */
  isShared(offset: number): boolean {
    return offset >= this.shared.offset && offset < this.shared.offset + this.shared.bytes;
  }

  /** The generic address of an offset. */
  address(offset: number): bigint {
    return (BigInt(ADDRESS_UPPER) << 32n) + BigInt(offset);
  }

  /** @throws KernelFault unless the memory check is on; the access is then redirected to memory that holds zeros */
  #outside(
    kind: "OUT_OF_BOUNDS" | "MISALIGNED",
    address: bigint,
    bytes: number,
    access: Access,
    space: Space,
  ): number {
    const fault: Fault = { kind, address, bytes, space, access, ...this.place() };
    if (this.checks?.memory !== true) throw new KernelFault(fault);
    this.checks.record(fault);
    const { offset, bytes: size } = this.nowhere;
    this.bytes.fill(0, offset, offset + size);
    return offset;
  }
}

const windowed = (address: number): bigint => BigInt.asUintN(64, BigInt(address));
