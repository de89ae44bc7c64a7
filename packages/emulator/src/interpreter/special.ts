// The values of special registers (PTX ISA, Special Registers). Time is measured in instructions, so that the same
// launch always reads the same times.
import type { SpecialOperand } from "../program/operand.js";
import type { Dimensions } from "../run/dimensions.js";
import type { LaunchPlan } from "../run/launch.js";
import { ADDRESS_UPPER } from "../run/memory.js";
import { TIMER_START } from "../run/time.js";
import type { Machine } from "./machine.js";

type Read = (machine: Machine, component: number) => number | bigint;

/** The emulator models one multiprocessor with room for this many warps. */
const WARPS_PER_MULTIPROCESSOR = 64;
const LAUNCH_NUMBER = 0n;

const timer = (machine: Machine): bigint => TIMER_START + BigInt(machine.executed());

const low = (value: bigint): number => Number(value & 0xffffffffn);
const high = (value: bigint): number => Number((value >> 32n) & 0xffffffffn);

/** Vectors have a fourth component, which is 0. */
const component = (values: readonly number[], index: number): number => values[index] ?? 0;

const NO_CLUSTER: Dimensions = [1, 1, 1];

/** The blocks of a cluster on an axis. */
const clusterSize = ({ cluster = NO_CLUSTER }: LaunchPlan, axis: number): number => cluster[axis] ?? 1;

/** `%envreg1` and `%envreg2` hold the address of the workspace of a cooperative launch; the others are 0. */
const environment: Record<string, Read> = Object.fromEntries(
  Array.from({ length: 32 }, (_, i) => [`envreg${i}`, () => 0] as const),
);
environment.envreg1 = ({ launch: { workspace } }) => (workspace === undefined ? 0 : ADDRESS_UPPER);
environment.envreg2 = ({ launch: { workspace } }) => workspace ?? 0;

const READS: Readonly<Record<string, Read>> = {
  tid: ({ thread }, index) => component(thread.id, index),
  ntid: ({ launch }, index) => component(launch.block, index),
  ctaid: ({ block }, index) => component(block, index),
  nctaid: ({ launch }, index) => component(launch.grid, index),
  laneid: ({ thread }) => thread.lane,
  warpid: ({ thread }) => thread.warp,
  nwarpid: () => WARPS_PER_MULTIPROCESSOR,
  smid: () => 0,
  nsmid: () => 1,
  gridid: () => LAUNCH_NUMBER,
  lanemask_eq: ({ thread }) => 1 << thread.lane,
  lanemask_lt: ({ thread }) => (1 << thread.lane) - 1,
  lanemask_le: ({ thread }) => (2 << thread.lane) - 1,
  lanemask_ge: ({ thread }) => ~((1 << thread.lane) - 1),
  lanemask_gt: ({ thread }) => ~((2 << thread.lane) - 1),
  clock: (machine) => machine.executed(),
  clock_hi: (machine) => high(BigInt(machine.executed())),
  clock64: (machine) => BigInt(machine.executed()),
  globaltimer: timer,
  globaltimer_lo: (machine) => low(timer(machine)),
  globaltimer_hi: (machine) => high(timer(machine)),
  total_smem_size: ({ shared }) => shared.bytes,
  aggr_smem_size: ({ shared }) => shared.bytes,
  ...environment,
  dynamic_smem_size: ({ launch }) => launch.dynamicSharedBytes,
  // Without clusters, each block forms its own cluster.
  clusterid: ({ block, launch }, index) => Math.floor(component(block, index) / clusterSize(launch, index)),
  nclusterid: ({ launch }, index) => component(launch.grid, index) / clusterSize(launch, index),
  cluster_ctaid: ({ block, launch }, index) => component(block, index) % clusterSize(launch, index),
  cluster_nctaid: ({ launch }, index) => component(launch.cluster ?? NO_CLUSTER, index),
  cluster_ctarank: ({ rank }) => rank,
  cluster_nctarank: ({ cluster }) => cluster.size,
  is_explicit_cluster: ({ launch }) => (launch.cluster === undefined ? 0 : 1),
};

/** How a special register is read; undefined for unknown registers. */
export function specialReader(
  machine: Machine,
  { name, component: index }: SpecialOperand,
): (() => number | bigint) | undefined {
  const read = READS[name];
  return read === undefined ? undefined : () => read(machine, index);
}
