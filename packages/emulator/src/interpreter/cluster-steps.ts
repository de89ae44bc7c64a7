// Steps of clusters: `barrier.cluster`, `mapa` and `getctarank`.
import { TYPES } from "../program/types.js";
import { ADDRESS_UPPER, CLUSTER_UPPER } from "../run/memory.js";
import type { Builder } from "./builder.js";
import { mappedAddress, mappedPlace } from "./cluster.js";
import type { Machine } from "./machine.js";
import { readBits, writeBits } from "./values.js";

/** The step of `barrier.cluster`; undefined for other barriers. */
export function clusterBarrierStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { words } = instruction.operation;
  if (!words.has("cluster")) return undefined;
  if (words.has("arrive")) {
    return () => {
      const { cluster, thread, watch } = machine;
      const problem = cluster.arrive(thread);
      if (problem !== undefined) throw machine.wrongSync(problem);
      watch?.synchronize("release", CLUSTER_BARRIER, thread);
    };
  }
  return () => {
    const { cluster, thread, watch } = machine;
    const problem = cluster.wait(thread);
    if (problem !== undefined) throw machine.wrongSync(problem);
    if (cluster.isComplete(thread)) {
      watch?.synchronize("acquire", CLUSTER_BARRIER, thread);
      return;
    }
    // The thread comes back to this instruction after others, also those of other blocks, have run.
    machine.pc = machine.at;
    machine.running = false;
  };
}

/** Stands for the barrier among the offsets of barrier objects. */
const CLUSTER_BARRIER = -1;

/** A place in shared memory: the rank of its block, and the offset from there. */
type SharedPlace = { readonly rank: number; readonly offset: number };

/** Reads an address, generic or in the window of shared memory. @throws KernelFault if it is not in shared memory */
function placeReader(builder: Builder): () => SharedPlace {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const slot = builder.source(operands[1]!);
  const { bits } = TYPES[operation.types[0]!];
  const isShared = operation.space === "shared";
  return () => {
    const address = readBits(machine, machine.base + slot, bits);
    const upper = Number(address >> 32n);
    const low = Number(address & 0xffffffffn);
    if (isShared ? upper === 0 : upper === CLUSTER_UPPER) {
      const mapped = mappedPlace(low);
      if (mapped !== undefined) return mapped;
      if (isShared) return { rank: machine.rank, offset: low };
    }
    if (!isShared && upper === ADDRESS_UPPER && machine.isShared(low))
      return { rank: machine.rank, offset: low - machine.shared.offset };
    throw machine.trap(`expected an address in shared memory, found 0x${address.toString(16)}`);
  };
}

/** `mapa`: the corresponding address in the shared memory of the block with another rank. */
export function mapStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const { bits } = TYPES[operation.types[0]!];
  const isShared = operation.space === "shared";
  const target = builder.target(operands[0]);
  const rankSlot = builder.source(operands[2]!);
  const placeOf = placeReader(builder);
  return () => {
    const { offset } = placeOf();
    const rank = Number(readBits(machine, machine.base + rankSlot, 32));
    if (rank >= machine.cluster.size)
      throw machine.trap(`expected the rank of a block of ${machine.cluster.size}, found ${rank}`);
    writeBits(machine, machine.base + target, bits, addressOf(machine, rank, offset, isShared));
  };
}

function addressOf(machine: Machine, rank: number, offset: number, isShared: boolean): bigint {
  if (isShared) return BigInt(mappedAddress(rank, offset));
  if (rank === machine.rank) return machine.address(machine.shared.offset + offset);
  return (BigInt(CLUSTER_UPPER) << 32n) + BigInt(mappedAddress(rank, offset));
}

/** `getctarank`: the rank of the block in whose shared memory an address is. */
export function rankStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const target = builder.target(instruction.operands[0]);
  const placeOf = placeReader(builder);
  return () => writeBits(machine, machine.base + target, 32, BigInt(placeOf().rank));
}
