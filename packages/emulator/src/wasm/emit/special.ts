// Special registers (PTX ISA, Special Registers): where translated code has their values from.
import { Untranslatable } from "../../control/graph.js";
import type { SpecialOperand } from "../../program/operand.js";
import type { ValueType } from "../binary/opcodes.js";
import type { GlobalName } from "../frame.js";
import type { Emitter } from "./emitter.js";

const WARP_BITS = 5;
const LANE_MASK = 31;

type Write = (emitter: Emitter, component: number) => void;

const globals =
  (...names: GlobalName[]): Write =>
  (emitter, component) => {
    const name = names[component];
    if (name === undefined) emitter.code.i32(0);
    else emitter.global(name);
  };

const constant =
  (...values: number[]): Write =>
  ({ code }, component) => {
    code.i32(values[component] ?? 0);
  };

const lane: Write = (emitter) => {
  emitter.threadNumber();
  emitter.code.i32(LANE_MASK).op("i32.and");
};

/** A mask of lanes, from that of the thread's own lane. */
const laneMask =
  (bits: number, shift: "i32.shl" | "i32.shr_u"): Write =>
  (emitter, component) => {
    emitter.code.i32(bits);
    lane(emitter, component);
    emitter.code.op(shift);
  };

/** The emulator has one multiprocessor with room for so many warps. */
const WARPS = 64;

const SPECIAL: Readonly<Record<string, Write>> = {
  tid: (emitter, component) => {
    if (component === 3) emitter.code.i32(0);
    else emitter.threadIndex(component);
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
  warpid: (emitter) => {
    emitter.threadNumber();
    emitter.code.i32(WARP_BITS).op("i32.shr_u");
  },
  nwarpid: constant(WARPS),
  smid: constant(0),
  nsmid: constant(1),
  gridid: constant(0),
  is_explicit_cluster: constant(0),
  lanemask_eq: laneMask(1, "i32.shl"),
  lanemask_lt: (emitter, component) => {
    laneMask(1, "i32.shl")(emitter, component);
    emitter.code.i32(1).op("i32.sub");
  },
  lanemask_le: (emitter, component) => {
    laneMask(-2, "i32.shl")(emitter, component);
    emitter.code.i32(-1).op("i32.xor");
  },
  lanemask_gt: laneMask(-2, "i32.shl"),
  lanemask_ge: laneMask(-1, "i32.shl"),
  total_smem_size: globals("sharedBytes"),
  aggr_smem_size: globals("sharedBytes"),
  dynamic_smem_size: globals("dynamicBytes"),
};

/** Puts a special register on the stack, and says in which type. Counters of instructions and time are not translated. */
export function writeSpecial(emitter: Emitter, { name, component }: SpecialOperand): ValueType {
  const write = SPECIAL[name];
  if (write === undefined) throw new Untranslatable(`it reads \`%${name}\``);
  write(emitter, component);
  return "i32";
}

/** Special registers that are the same for all threads of a block. */
export const BLOCK_UNIFORM: ReadonlySet<string> = new Set(
  Object.keys(SPECIAL).filter((name) => !/^(tid|laneid|warpid|lanemask_.*)$/.test(name)),
);
