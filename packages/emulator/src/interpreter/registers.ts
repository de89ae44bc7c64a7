// The registers of all frames: slots of 8 bytes in one buffer, seen as every type, so that no access changes bits.

const FIRST_SLOTS = 4096;

export class Registers {
  u32 = new Uint32Array(0);
  s32 = new Int32Array(0);
  f32 = new Float32Array(0);
  u64 = new BigUint64Array(0);
  f64 = new Float64Array(0);
  /** Whether a slot was written, where somebody wants to know. */
  written = new Uint8Array(0);
  private top = 0;
  /** Frames that were given back, by their length. */
  private readonly free = new Map<number, number[]>();

  constructor(private readonly watched: boolean) {
    this.grow(FIRST_SLOTS);
  }

  /** Makes room for a frame and fills it. @returns its first slot */
  take(frame: Uint32Array): number {
    const slots = frame.length / 2;
    const base = this.free.get(slots)?.pop() ?? this.append(slots);
    this.u32.set(frame, 2 * base);
    if (this.watched) this.written.fill(0, base, base + slots);
    return base;
  }

  give(base: number, slots: number): void {
    const known = this.free.get(slots);
    if (known === undefined) this.free.set(slots, [base]);
    else known.push(base);
  }

  /** Forgets all frames. */
  clear(): void {
    this.top = 0;
    this.free.clear();
  }

  private append(slots: number): number {
    const base = this.top;
    this.top += slots;
    if (this.top > this.f64.length) this.grow(Math.max(this.top, 2 * this.f64.length));
    return base;
  }

  private grow(slots: number): void {
    const buffer = new ArrayBuffer(8 * slots);
    const u32 = new Uint32Array(buffer);
    u32.set(this.u32);
    this.u32 = u32;
    this.s32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.f64 = new Float64Array(buffer);
    if (!this.watched) return;
    const written = new Uint8Array(slots);
    written.set(this.written);
    this.written = written;
  }
}
