// The registers of all frames of a block: 8-byte slots in one buffer with a view per type, so that accesses never
// change bits.

const FIRST_SLOTS = 4096;

/** The registers of a block, running or suspended. */
export class RegisterFile {
  buffer = new ArrayBuffer(8 * FIRST_SLOTS);
  /** Whether each slot was written. */
  written = new Uint8Array(FIRST_SLOTS);
  /** The first slot that has never been part of a frame. */
  top = 0;
  /** Freed frames, by length. */
  readonly free = new Map<number, number[]>();
}

/** The registers of the running block. */
export class Registers {
  u32!: Uint32Array;
  s32!: Int32Array;
  f32!: Float32Array;
  u64!: BigUint64Array;
  f64!: Float64Array;
  /** Whether each slot was written, for the check of uninitialized reads. */
  written!: Uint8Array;
  #file!: RegisterFile;

  readonly #watched: boolean;

  constructor(watched: boolean) {
    this.#watched = watched;
    this.use(new RegisterFile());
  }

  /** Switches to the registers of a block. */
  use(file: RegisterFile): void {
    if (file === this.#file) return;
    this.#file = file;
    this.#view();
  }

  /** Allocates and initializes a frame. @returns its first slot */
  take(frame: Uint32Array): number {
    const slots = frame.length / 2;
    const base = this.#file.free.get(slots)?.pop() ?? this.#append(slots);
    this.u32.set(frame, 2 * base);
    if (this.#watched) this.written.fill(0, base, base + slots);
    return base;
  }

  give(base: number, slots: number): void {
    const { free } = this.#file;
    const known = free.get(slots);
    if (known === undefined) free.set(slots, [base]);
    else known.push(base);
  }

  /** Removes all frames. */
  clear(): void {
    this.#file.top = 0;
    this.#file.free.clear();
  }

  #append(slots: number): number {
    const base = this.#file.top;
    this.#file.top += slots;
    const { top } = this.#file;
    if (top > this.f64.length) this.#grow(Math.max(top, 2 * this.f64.length));
    return base;
  }

  #grow(slots: number): void {
    const { u32, written } = this;
    this.#file.buffer = new ArrayBuffer(8 * slots);
    if (this.#watched) this.#file.written = new Uint8Array(slots);
    this.#view();
    this.u32.set(u32);
    if (this.#watched) this.written.set(written);
  }

  #view(): void {
    const { buffer, written } = this.#file;
    this.u32 = new Uint32Array(buffer);
    this.s32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.written = written;
  }
}
