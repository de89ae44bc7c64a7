// Special registers (PTX ISA, Special Registers): where translated code gets their values.

import { TIMES } from "../../control/facts.js";
import { Untranslatable } from "../../control/graph.js";
import type { SpecialOperand } from "../../program/operand.js";
import type { ValueType } from "../../program/types.js";
import { ADDRESS_UPPER } from "../../run/memory.js";
import { TIMER_START } from "../../run/time.js";
import type { Code } from "../binary/code.js";
import type { GlobalName } from "../frame.js";

/** The sources of the values: the launch's globals, and the running thread. */
interface SpecialSource {
  readonly code: Code;
  /** Pushes a global. */
  global(name: GlobalName): void;
  /** Pushes the number of the thread. */
  threadNumber(): void;
  /** Pushes a component of the thread's index. */
  threadIndex(component: number): void;
  /** Pushes the launch's time in nanoseconds. */
  pushTime(): void;
}

const WARP_BITS = 5;
const LANE_MASK = 31;

type Write = (source: SpecialSource, component: number) => void;

const globals =
  (...names: GlobalName[]): Write =>
  (source, component) => {
    const name = names[component];
    if (name === undefined) source.code.i32(0);
    else source.global(name);
  };

const constant =
  (...values: number[]): Write =>
  ({ code }, component) => {
    code.i32(values[component] ?? 0);
  };

const lane: Write = (source) => {
  source.threadNumber();
  source.code.i32(LANE_MASK).op("i32.and");
};

/** Derives a lane mask from the mask of the thread's own lane. */
const laneMask =
  (bits: number, shift: "i32.shl" | "i32.shr_u"): Write =>
  (source, component) => {
    source.code.i32(bits);
    lane(source, component);
    source.code.op(shift);
  };

/** The emulator has one multiprocessor with room for this many warps. */
const WARPS = 64;

/** `%envreg1` and `%envreg2` hold the address of the workspace of a cooperative launch; the others are 0. */
const environment: Record<string, Write> = Object.fromEntries(
  Array.from({ length: 32 }, (_, i) => [`envreg${i}`, constant(0)] as const),
);
environment.envreg1 = (source) => {
  source.global("workspace");
  source.code.op("i32.eqz").op("i32.eqz").i32(ADDRESS_UPPER).op("i32.mul");
};
environment.envreg2 = globals("workspace");

const SPECIAL: Readonly<Record<string, Write>> = {
  tid: (source, component) => {
    if (component === 3) source.code.i32(0);
    else source.threadIndex(component);
  },
  ntid: globals("ntidX", "ntidY", "ntidZ"),
  ctaid: globals("ctaidX", "ctaidY", "ctaidZ"),
  nctaid: globals("nctaidX", "nctaidY", "nctaidZ"),
  clusterid: globals("ctaidX", "ctaidY", "ctaidZ"),
  nclusterid: globals("nctaidX", "nctaidY", "nctaidZ"),
  cluster_ctaid: constant(0, 0, 0),
  cluster_nctaid: constant(1, 1, 1),
  cluster_ctarank: constant(0),
  cluster_nctarank: constant(1),
  laneid: lane,
  warpid: (source) => {
    source.threadNumber();
    source.code.i32(WARP_BITS).op("i32.shr_u");
  },
  nwarpid: constant(WARPS),
  smid: constant(0),
  nsmid: constant(1),
  gridid: constant(0),
  is_explicit_cluster: constant(0),
  lanemask_eq: laneMask(1, "i32.shl"),
  lanemask_lt: (source, component) => {
    laneMask(1, "i32.shl")(source, component);
    source.code.i32(1).op("i32.sub");
  },
  lanemask_le: (source, component) => {
    laneMask(-2, "i32.shl")(source, component);
    source.code.i32(-1).op("i32.xor");
  },
  lanemask_gt: laneMask(-2, "i32.shl"),
  lanemask_ge: laneMask(-1, "i32.shl"),
  total_smem_size: globals("sharedBytes"),
  aggr_smem_size: globals("sharedBytes"),
  ...environment,
  dynamic_smem_size: globals("dynamicBytes"),
};

/**
 * Pushes a special register and returns its type. Clocks count the instructions that the launch has executed; a stretch
 * of a thread without loops only counts once it is over.
 */
export function writeSpecial(source: SpecialSource, { name, component }: SpecialOperand): ValueType {
  if (TIMES.has(name)) return writeTime(source, name);
  const write = SPECIAL[name];
  if (write === undefined) throw new Untranslatable(`it reads \`%${name}\``);
  write(source, component);
  return "i32";
}

function writeTime(source: SpecialSource, name: string): ValueType {
  const { code } = source;
  source.pushTime();
  if (name.startsWith("clock")) code.i64(TIMER_START).op("i64.sub");
  if (name === "clock64" || name === "globaltimer") return "i64";
  if (name.endsWith("_hi")) code.i64(32n).op("i64.shr_u");
  code.op("i32.wrap_i64");
  return "i32";
}

/** Special registers that are the same for all threads of a block. */
export const BLOCK_UNIFORM: ReadonlySet<string> = new Set(
  Object.keys(SPECIAL).filter((name) => !/^(tid|laneid|warpid|lanemask_.*)$/.test(name)),
);
