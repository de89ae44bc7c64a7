// The body of one function: instructions that are appended one by one, locals that are created on demand, and labels
// that know their depth, so that callers need not count blocks.
import { ByteWriter } from "./bytes.js";
import { NUMBERS, type Opcode, STACK_TYPES, type StackType } from "./opcodes.js";

/** An open block, loop or if: a target for branches. */
export interface Label {
  readonly depth: number;
}

const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const BR = 0x0c;
const BR_IF = 0x0d;
const BR_TABLE = 0x0e;
const CALL = 0x10;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I32_CONST = 0x41;
const I64_CONST = 0x42;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const EMPTY_TYPE = 0x40;
const SIMD_PREFIX = 0xfd;
const V128_CONST = 0x0c;
const SHUFFLE = 0x0d;
const MISC_PREFIX = 0xfc;
const MEMORY_COPY = 0x0a;
const MEMORY_FILL = 0x0b;
const ATOMIC_PREFIX = 0xfe;
const ATOMIC_FENCE = 0x03;

/** Names of atomic accesses. */
export type AtomicOpcode = Extract<Opcode, `${string}.atomic.${string}`>;

/** The limit that every engine accepts (WebAssembly JavaScript Interface, Implementation-defined Limits). */
const MOST_LOCALS = 50_000;
const MOST_BYTES = 7_654_321;

/** A function is larger than engines accept. */
export class FunctionLimit extends Error {
  constructor(what: string) {
    super(`more ${what} than a WebAssembly function may have`);
  }
}

/** Loads and stores that are not atomic. */
export type MemoryOpcode = Exclude<
  Extract<Opcode, `${string}.load${string}` | `${string}.store${string}`>,
  AtomicOpcode
>;

/** A function's instructions and locals. */
export class Code {
  #out = new ByteWriter();
  #start = new ByteWriter();
  readonly #locals: StackType[] = [];
  /** Locals that nothing uses at the moment. */
  readonly #free: Readonly<Record<StackType, number[]>> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  readonly #parameters: number;
  #depth = 0;
  #isStarting = false;

  /** @param parameters the number of locals that the function's parameters take */
  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** Returns a new local, which is 0 at first. */
  local(type: StackType): number {
    return this.#parameters + this.#locals.push(type) - 1;
  }

  /** Calls `use` with a local that is reserved for it until it returns. */
  scratch(type: StackType, use: (local: number) => void): void {
    const local = this.take(type);
    use(local);
    this.release(type, local);
  }

  /** Reserves a local until it is released. */
  take(type: StackType): number {
    return this.#free[type].pop() ?? this.local(type);
  }

  release(type: StackType, local: number): void {
    this.#free[type].push(local);
  }

  /**
   * Inserts the code that `write` emits at the beginning, after what earlier calls inserted there. It must leave the
   * stack unchanged.
   */
  atStart(write: () => void): void {
    if (this.#isStarting) {
      write();
      return;
    }
    this.#isStarting = true;
    [this.#out, this.#start] = [this.#start, this.#out];
    write();
    [this.#out, this.#start] = [this.#start, this.#out];
    this.#isStarting = false;
  }

  op(name: Opcode): this {
    const number = NUMBERS.get(name)!;
    if (number > 0xff) {
      this.#out.byte(number >>> 12);
      this.#out.unsigned(number & 0xfff);
    } else this.#out.byte(number);
    return this;
  }

  get(local: number): this {
    return this.#indexed(LOCAL_GET, local);
  }

  set(local: number): this {
    return this.#indexed(LOCAL_SET, local);
  }

  tee(local: number): this {
    return this.#indexed(LOCAL_TEE, local);
  }

  getGlobal(global: number): this {
    return this.#indexed(GLOBAL_GET, global);
  }

  setGlobal(global: number): this {
    return this.#indexed(GLOBAL_SET, global);
  }

  call(index: number): this {
    return this.#indexed(CALL, index);
  }

  i32(value: number): this {
    this.#out.byte(I32_CONST);
    this.#out.signed(value);
    return this;
  }

  i64(value: bigint): this {
    this.#out.byte(I64_CONST);
    this.#out.signed64(value);
    return this;
  }

  /** A constant, given as bits so that NaNs keep their payloads. */
  f32(bits: bigint): this {
    this.#out.byte(F32_CONST);
    this.#out.word(Number(bits & 0xffffffffn));
    return this;
  }

  /** A constant, given as bits. */
  f64(bits: bigint): this {
    this.#out.byte(F64_CONST);
    this.#out.doubleWord(bits);
    return this;
  }

  /** A constant of lanes of `width` bits each. */
  v128(lanes: readonly bigint[], width: 32 | 64): this {
    this.#out.byte(SIMD_PREFIX);
    this.#out.unsigned(V128_CONST);
    for (const lane of lanes) {
      if (width === 32) this.#out.word(Number(BigInt.asIntN(32, lane)));
      else this.#out.doubleWord(lane);
    }
    return this;
  }

  /** Selects bytes of two vectors by their numbers, 0 to 31. */
  shuffle(bytes: readonly number[]): this {
    this.#out.byte(SIMD_PREFIX);
    this.#out.unsigned(SHUFFLE);
    this.#out.append(bytes);
    return this;
  }

  /** Reads or replaces one lane. */
  lane(name: Extract<Opcode, `${string}_lane`>, lane: number): this {
    this.op(name);
    this.#out.byte(lane);
    return this;
  }

  /** A load or store at the address on the stack plus `offset`. It states no alignment, which is only a hint. */
  memory(name: MemoryOpcode, offset = 0): this {
    this.op(name);
    this.#out.byte(0);
    this.#out.unsigned(offset);
    return this;
  }

  /**
   * An atomic access of `bytes` bytes at the address on the stack plus `offset`. The sum has to be a multiple of
   * `bytes`.
   */
  atomic(name: AtomicOpcode, bytes: number, offset = 0): this {
    this.op(name);
    this.#out.byte(Math.log2(bytes));
    this.#out.unsigned(offset);
    return this;
  }

  /** Keeps the accesses before and after it in order, for every thread of the machine. */
  fence(): this {
    this.#out.append([ATOMIC_PREFIX, ATOMIC_FENCE, 0]);
    return this;
  }

  /** Fills memory: address, byte and count are on the stack. */
  fill(): this {
    this.#out.append([MISC_PREFIX, MEMORY_FILL, 0]);
    return this;
  }

  /** Copies memory: destination, source and count are on the stack. */
  copy(): this {
    this.#out.append([MISC_PREFIX, MEMORY_COPY, 0, 0]);
    return this;
  }

  block(type?: StackType): Label {
    return this.#open(BLOCK, type);
  }

  loop(): Label {
    return this.#open(LOOP);
  }

  if(type?: StackType): Label {
    return this.#open(IF, type);
  }

  else(): this {
    this.#out.byte(ELSE);
    return this;
  }

  end(): this {
    this.#depth--;
    this.#out.byte(END);
    return this;
  }

  br(label: Label): this {
    return this.#indexed(BR, this.#depth - label.depth);
  }

  brIf(label: Label): this {
    return this.#indexed(BR_IF, this.#depth - label.depth);
  }

  /** Branches to the label with the index on the stack, or to the last label when the index is out of range. */
  brTable(labels: readonly Label[]): this {
    this.#out.byte(BR_TABLE);
    this.#out.unsigned(labels.length - 1);
    for (const label of labels) this.#out.unsigned(this.#depth - label.depth);
    return this;
  }

  /**
   * Returns the function as the code section contains it: locals, instructions, end.
   *
   * @throws {@link FunctionLimit}
   */
  encode(): Uint8Array {
    if (this.#parameters + this.#locals.length > MOST_LOCALS) throw new FunctionLimit("registers");
    const out = new ByteWriter();
    const runs: { type: StackType; count: number }[] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    out.unsigned(runs.length);
    for (const { type, count } of runs) {
      out.unsigned(count);
      out.byte(STACK_TYPES[type]);
    }
    out.append(this.#start.bytes());
    out.append(this.#out.bytes());
    out.byte(END);
    const bytes = out.bytes();
    if (bytes.length > MOST_BYTES) throw new FunctionLimit("instructions");
    return bytes;
  }

  #indexed(opcode: number, index: number): this {
    this.#out.byte(opcode);
    this.#out.unsigned(index);
    return this;
  }

  #open(opcode: number, type?: StackType): Label {
    this.#out.byte(opcode);
    this.#out.byte(type === undefined ? EMPTY_TYPE : STACK_TYPES[type]);
    this.#depth++;
    return { depth: this.#depth };
  }
}
