// Memory barrier objects (PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier). Their 64 bits are
// opaque to programs. Here they hold the pending and the expected count of arrivals, the count of bytes that are still
// to come, the phase, and a mark by which uninitialized objects are recognized.
import type { Operation, OperationSpace } from "../program/operation.js";
import type { Procedure, ProcedureHost } from "./procedure.js";

const OBJECT_BYTES = 8;
const COUNT_BITS = 20n;
/** The greatest count of arrivals, and of bytes. */
const MOST = 2n ** COUNT_BITS - 1n;
const BYTES_BITS = 21n;
const EXPECTED = COUNT_BITS;
const BYTES = 2n * COUNT_BITS;
const PHASE = BYTES + BYTES_BITS;
const MARK = PHASE + 1n;
/** The mark of a valid object, and of a state that an arrival has returned. */
const VALID = 0b10n;

/** The layout of an object, for generated code. The lowest bits are the pending count. */
export const BARRIER_LAYOUT = {
  bytes: OBJECT_BYTES,
  count: MOST,
  /** Bits that are zero once a phase is complete. */
  open: MOST | ((2n ** BYTES_BITS - 1n) << BYTES),
  expected: EXPECTED,
  phase: PHASE,
  mark: MARK,
  valid: VALID,
} as const;

/** The fields of a barrier object. */
interface BarrierObject {
  readonly pending: bigint;
  readonly expected: bigint;
  /** Bytes that are expected and have not arrived; negative when more have arrived than were expected so far. */
  readonly bytes: bigint;
  readonly phase: bigint;
}

const packed = ({ pending, expected, bytes, phase }: BarrierObject): bigint =>
  pending |
  (expected << EXPECTED) |
  (BigInt.asUintN(Number(BYTES_BITS), bytes) << BYTES) |
  (phase << PHASE) |
  (VALID << MARK);

/** The contents of an object, or of the state that an arrival returned; undefined when the mark is missing. */
function unpacked(bits: bigint): BarrierObject | undefined {
  if (bits >> MARK !== VALID) return undefined;
  return {
    pending: bits & MOST,
    expected: (bits >> EXPECTED) & MOST,
    bytes: BigInt.asIntN(Number(BYTES_BITS), bits >> BYTES),
    phase: (bits >> PHASE) & 1n,
  };
}

/** An object in shared memory. */
class Place {
  readonly #host: ProcedureHost;
  readonly #offset: number;

  constructor(host: ProcedureHost, address: bigint, space: OperationSpace, access: "store" | "atomic") {
    this.#host = host;
    this.#offset = host.place(address, space, OBJECT_BYTES, access);
    if (!host.isShared(this.#offset))
      throw host.trap(`expected a barrier object in shared memory, found the address ${hex(address)}`);
  }

  read(): BarrierObject {
    const bits = this.#host.view.getBigUint64(this.#offset, true);
    const object = unpacked(bits);
    if (object === undefined)
      throw this.#host.trap(`expected an initialized barrier object, found ${hex(bits)} in shared memory`);
    return object;
  }

  write(object: BarrierObject): void {
    this.set(packed(object));
  }

  set(bits: bigint): void {
    this.#host.view.setBigUint64(this.#offset, bits, true);
  }

  synchronize(kind: "release" | "acquire"): void {
    this.#host.synchronize?.(kind, this.#offset);
  }
}

/** Begins the next phase of an object if nothing is pending. */
function settled(object: BarrierObject): BarrierObject {
  const { pending, expected, bytes, phase } = object;
  if (pending > 0n || bytes !== 0n) return object;
  return { pending: expected, expected, bytes: 0n, phase: phase ^ 1n };
}

function checkCount(host: ProcedureHost, count: bigint): void {
  if (count < 1n || count > MOST)
    throw host.trap(`expected a count of 1 to ${MOST} arrivals at a barrier object, found ${count}`);
}

/** An object that expects a number of additional bytes; a negative number means that bytes have arrived. */
function withBytes(host: ProcedureHost, object: BarrierObject, change: bigint): BarrierObject {
  const bytes = object.bytes + change;
  if (bytes > MOST || bytes < -MOST)
    throw host.trap(`expected at most ${MOST} bytes to come at a barrier object, found ${bytes}`);
  return { ...object, bytes };
}

function arrived(host: ProcedureHost, object: BarrierObject, count: bigint, drops: boolean): BarrierObject {
  checkCount(host, count);
  if (count > object.pending) {
    const found = count === 1n ? "one more" : `${count} more`;
    throw host.trap(
      `expected ${object.pending} more arrivals in this phase of a barrier object, found ${found}`,
    );
  }
  const expected = drops ? object.expected - count : object.expected;
  return { ...object, pending: object.pending - count, expected };
}

/** `mbarrier.arrive` and `mbarrier.arrive_drop`. The state that they return is the object before the arrival. */
function arrive({ words, space }: Operation): Procedure {
  const drops = words.has("arrive_drop");
  const expects = words.has("expect_tx");
  const mayNotComplete = words.has("noComplete");
  return (host, [address, operand]) => {
    const place = new Place(host, address!, space, "atomic");
    const before = place.read();
    const expecting = expects ? withBytes(host, before, operand!) : before;
    const after = arrived(host, expecting, expects ? 1n : (operand ?? 1n), drops);
    const next = settled(after);
    if (mayNotComplete && next !== after)
      throw host.trap("expected an arrival that does not complete the phase, found one that does");
    place.write(next);
    place.synchronize("release");
    return [packed(before)];
  };
}

/** `mbarrier.test_wait` and `mbarrier.try_wait`: whether a phase is complete. */
function test({ words, space }: Operation): Procedure {
  const byParity = words.has("parity");
  return (host, [address, operand]) => {
    const place = new Place(host, address!, space, "atomic");
    const { phase } = place.read();
    if (byParity && operand! > 1n)
      throw host.trap(`expected 0 or 1 as the parity of a phase, found ${operand!}`);
    const wanted = byParity ? operand! : stateOf(host, operand!).phase;
    if (phase === wanted) return [0n];
    place.synchronize("acquire");
    return [1n];
  };
}

function stateOf(host: ProcedureHost, bits: bigint): BarrierObject {
  const state = unpacked(bits);
  if (state === undefined) throw host.trap(`expected the state that an arrival returned, found ${hex(bits)}`);
  return state;
}

/** Changes the bytes that an object expects. */
export function changeBytes(
  host: ProcedureHost,
  address: bigint,
  space: OperationSpace,
  change: bigint,
): void {
  const place = new Place(host, address, space, "atomic");
  place.write(settled(withBytes(host, place.read(), change)));
}

/**
 * `cp.async.mbarrier.arrive`. Copies complete immediately, so the arrival that it adds without `.noinc` has happened as
 * well.
 */
export function copyArrival({ words, space }: Operation): Procedure {
  const arrives = words.has("noinc");
  return (host, [address]) => {
    const place = new Place(host, address!, space, "atomic");
    const object = place.read();
    if (arrives) place.write(settled(arrived(host, object, 1n, false)));
    place.synchronize("release");
    return [];
  };
}

/** The forms of `mbarrier` by operation. */
const FORMS: Readonly<Record<string, (operation: Operation) => Procedure>> = {
  init:
    ({ space }) =>
    (host, [address, count]) => {
      checkCount(host, count!);
      const place = new Place(host, address!, space, "store");
      place.write({ pending: count!, expected: count!, bytes: 0n, phase: 0n });
      return [];
    },
  inval:
    ({ space }) =>
    (host, [address]) => {
      const place = new Place(host, address!, space, "atomic");
      place.read();
      place.set(0n);
      return [];
    },
  arrive,
  arrive_drop: arrive,
  expect_tx:
    ({ space }) =>
    (host, [address, count]) => {
      checkBytes(host, count!);
      changeBytes(host, address!, space, count!);
      return [];
    },
  complete_tx:
    ({ space }) =>
    (host, [address, count]) => {
      checkBytes(host, count!);
      changeBytes(host, address!, space, -count!);
      return [];
    },
  test_wait: test,
  try_wait: test,
  pending_count:
    () =>
    (host, [state]) => [stateOf(host, state!).pending],
};

function checkBytes(host: ProcedureHost, count: bigint): void {
  if (count > MOST) throw host.trap(`expected at most ${MOST} bytes at a barrier object, found ${count}`);
}

const BY_PRECEDENCE = ["arrive", "arrive_drop", ...Object.keys(FORMS)];

/** Whether a form of `mbarrier` waits for a phase. */
export const waitsForPhase = ({ words }: Operation): boolean =>
  words.has("test_wait") || words.has("try_wait");

/** The procedure of a form of `mbarrier`. */
export function barrierObject(operation: Operation): Procedure {
  return FORMS[BY_PRECEDENCE.find((word) => operation.words.has(word))!]!(operation);
}

const hex = (bits: bigint): string => `0x${bits.toString(16)}`;
