// What the steps of a launch work on: the thread that runs, its frame, the registers, and memory with its checks.
import type { Fault, FaultPlace } from "../run/fault.js";
import type { Dimensions, Launch } from "../run/launch.js";
import { ADDRESS_UPPER, PAGE_BYTES } from "../run/memory.js";
import { Barriers } from "./barriers.js";
import { Registers } from "./registers.js";
import type { Code, Frame, Thread } from "./thread.js";
import type { Watch } from "./watch.js";

/** Thrown by a step to stop the launch. */
export class KernelFault {
  constructor(readonly fault: Fault) {}
}

export type Access = "load" | "store" | "atomic";
export type Space = "generic" | "global" | "const" | "shared" | "local" | "param";

/** A part of linear memory that is the launch's own. */
export interface Area {
  readonly offset: number;
  readonly bytes: number;
}

const UPPER = 2 ** 32;

export class Machine {
  readonly registers: Registers;
  /** The linear memory; taken anew after each pause. */
  bytes = new Uint8Array(0);
  view = new DataView(new ArrayBuffer(0));
  private pages = new Uint16Array(0);

  thread!: Thread;
  frame!: Frame;
  code!: Code;
  /** First slot of the frame. */
  base = 0;
  /** Index of the next instruction, and of the one that runs. */
  pc = 0;
  at = 0;
  /** Whether the thread goes on: it neither waits nor has exited. */
  running = false;
  /** Steps that may run before the next pause, and how many there were when the thread went on. */
  left = 0;
  leftAtStart = 0;
  /** Instructions that a thread runs before it lets others run: it may wait in a loop for what they write. */
  patience = 2 ** 22;
  /** The last jump backward. */
  loop: { readonly function: number; readonly first: number; readonly last: number } | undefined;

  block: Dimensions = [0, 0, 0];
  blockIndex = 0;
  warps: readonly (readonly Thread[])[] = [];
  watch: Watch | undefined;
  readonly barriers = new Barriers();

  constructor(
    readonly launch: Launch,
    readonly shared: Area,
    readonly params: Area,
    readonly locals: Area,
    /** Bytes of local memory that each thread has. */
    readonly localBytes: number,
    /** By index into `Program.variables`: offsets of shared variables. */
    readonly sharedOffsets: ReadonlyMap<number, number>,
    /** By index into `Program.functions`; compiled when first asked for. */
    readonly codeOf: (index: number) => Code,
  ) {
    this.registers = new Registers(launch.hooks.uninitialized === true);
  }

  /** Looks at memory anew: it may have grown. */
  refresh(): void {
    const { memory, pageTable } = this.launch.loaded.memory;
    if (memory.buffer === this.bytes.buffer) return;
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.pages = new Uint16Array(memory.buffer, pageTable, UPPER / PAGE_BYTES);
  }

  /** Makes a thread the one that runs. */
  enter(thread: Thread): void {
    this.thread = thread;
    this.resume(thread.frames.at(-1)!);
    this.running = true;
    this.leftAtStart = this.left;
  }

  /** Leaves the thread where it stands. */
  leave(): void {
    this.frame.pc = this.pc;
    this.thread.executed += this.leftAtStart - this.left;
    this.leftAtStart = this.left;
  }

  /** Runs steps until the thread stops, a pause is due or so many have run. @returns how many did */
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

  /** Instructions that the thread has executed, with the one that runs. */
  executed(): number {
    return this.thread.executed + this.leftAtStart - this.left;
  }

  /** Makes a frame of the thread the one that runs. */
  resume(frame: Frame): void {
    this.frame = frame;
    this.code = frame.code;
    this.base = frame.base;
    this.pc = frame.pc;
  }

  /** Begins a call of a function. @throws KernelFault when local memory does not suffice */
  call(code: Code): Frame {
    const { frames } = this.thread;
    const caller = frames.at(-1);
    const local = caller === undefined ? 0 : caller.local + caller.code.function.frameBytes;
    if (local + code.function.frameBytes > this.localBytes) {
      throw this.trap(`${this.localBytes} bytes of local memory do not suffice for its calls`);
    }
    const frame: Frame = { code, base: this.registers.take(code.frame), local, pc: 0, whenDone: undefined };
    frames.push(frame);
    return frame;
  }

  /** Where the thread's local memory begins. */
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

  /** The instruction that runs, with its words. */
  get opcode(): string {
    return this.code.function.instructions[this.at]!.opcode;
  }

  /** What to throw when a program does what none may. */
  trap(detail: string): KernelFault {
    return new KernelFault({ kind: "TRAP", detail, ...this.place() });
  }

  /** The offset of a generic address. @throws KernelFault when there is nothing, or it is not aligned */
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
      if (Number(address >> 32n) !== ADDRESS_UPPER)
        this.outside("OUT_OF_BOUNDS", address, bytes, access, space);
      offset = Number(address & 0xffffffffn);
    }
    return this.checked(offset, bytes, access, space, touched);
  }

  /**
   * An offset of linear memory that is checked against allocations.
   *
   * @param touched how many of the access's bytes have to be there
   * @throws KernelFault
   */
  checked(offset: number, bytes: number, access: Access, space: Space, touched: number = bytes): number {
    if (offset % bytes !== 0) this.outside("MISALIGNED", this.address(offset), bytes, access, space);
    const step = Math.min(touched, 16);
    for (let at = offset; at < offset + touched; at += step) {
      if ((at % PAGE_BYTES) + step > this.pages[Math.floor(at / PAGE_BYTES)]!) {
        this.outside("OUT_OF_BOUNDS", this.address(offset), bytes, access, space);
      }
    }
    this.watch?.touch(this, offset, touched, access);
    return offset;
  }

  /** The offset of an address in an area of the launch. @throws KernelFault when it is outside or not aligned */
  inArea(area: Area, address: number, bytes: number, access: Access, space: Space): number {
    if (address % bytes !== 0) this.outside("MISALIGNED", windowed(address), bytes, access, space);
    if (address < 0 || address + bytes > area.bytes) {
      this.outside("OUT_OF_BOUNDS", windowed(address), bytes, access, space);
    }
    const offset = area.offset + address;
    this.watch?.touch(this, offset, bytes, access);
    return offset;
  }

  /** The offset of an address of 64 bits in an area, which is a sum. @throws KernelFault as `inArea` */
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
    return this.outside(kind, address, bytes, access, space);
  }

  /** The thread's local memory as an area. */
  localArea(): Area {
    return { offset: this.localBase(), bytes: this.localBytes };
  }

  /** Whether an offset lies in shared memory. */
  isShared(offset: number): boolean {
    return offset >= this.shared.offset && offset < this.shared.offset + this.shared.bytes;
  }

  /** The generic address of an offset. */
  address(offset: number): bigint {
    return (BigInt(ADDRESS_UPPER) << 32n) + BigInt(offset);
  }

  private outside(
    kind: "OUT_OF_BOUNDS" | "MISALIGNED",
    address: bigint,
    bytes: number,
    access: Access,
    space: Space,
  ): never {
    throw new KernelFault({ kind, address, bytes, space, access, ...this.place() });
  }
}

const windowed = (address: number): bigint => BigInt.asUintN(64, BigInt(address));
