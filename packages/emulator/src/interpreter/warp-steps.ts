// Steps that wait for other threads: warp operations, `activemask` and barriers.

import type { Operand } from "../program/operand.js";
import type { Operation } from "../program/operation.js";
import { TYPES } from "../program/types.js";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import { memoryBits, setMemoryBits } from "./memory-steps.js";
import type { Exchange, Thread, Wait, WarpWait } from "./thread.js";
import { readBits, writeBits } from "./values.js";
import { warpEvaluator } from "./warp-operations.js";

export const ALL_LANES = 0xffffffff;
const LANES = 32;
/** The number of rows of an `ldmatrix` matrix, and the bytes per row. */
const MATRIX_ROWS = 8;
const ROW_BYTES = 16;

/** A slot and its number of significant bits. */
interface Field {
  readonly slot: number;
  readonly bits: number;
}

export const baseOf = (thread: Thread): number => thread.frames.at(-1)!.base;

export function wait(machine: Machine, what: Wait): void {
  machine.thread.wait = what;
  machine.running = false;
}

/** The fields of operands, with vectors expanded. */
function fields(
  builder: Builder,
  operands: readonly Operand[],
  first: number,
  isTarget: boolean,
): readonly Field[] {
  return operands.flatMap((operand, index) => {
    const type = builder.instruction.operation.operandTypes[first + index] ?? "b32";
    const items = operand.kind === "vector" ? operand.items : [operand];
    return items.map((item) =>
      isTarget
        ? { slot: builder.target(item), bits: builder.targetBits(item, type) }
        : { slot: builder.source(item), bits: TYPES[type].bits },
    );
  });
}

/** The step of a warp operation on registers, or undefined for other instructions. */
export function warpStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const evaluate = warpEvaluator(operation);
  if (evaluate === undefined) return undefined;
  const { results } = operation;
  const aligned = operation.words.has("aligned");
  const end = aligned ? operands.length : operands.length - 1;
  const targets = fields(builder, operands.slice(0, results), 0, true);
  const sources = fields(builder, operands.slice(results, end), results, false);
  const maskSlot = aligned ? builder.constant(BigInt(ALL_LANES)) : builder.source(operands[end]!);
  const exchange: Exchange = {
    read: (thread) => sources.map(({ slot, bits }) => readBits(machine, baseOf(thread) + slot, bits)),
    write: (thread, values) => {
      targets.forEach(({ slot, bits }, item) => {
        writeBits(machine, baseOf(thread) + slot, bits, values[item]!);
      });
    },
  };
  const complete = (lanes: readonly Thread[]) => {
    if (aligned) checkWholeWarp(machine, lanes);
    // Lanes may have reached different instructions of the same kind, each with its own registers.
    const exchanges = lanes.map(({ wait }) => (wait as WarpWait).exchange ?? exchange);
    const outcome = evaluate(
      lanes.map(({ lane }) => lane),
      lanes.map((thread, index) => exchanges[index]!.read(thread)),
    );
    lanes.forEach((thread, index) => {
      exchanges[index]!.write(thread, outcome[index]!);
    });
  };
  return waitForMask(machine, maskSlot, operation, complete, exchange);
}

/** The step of an operation for which the lanes of a mask, held in a slot, wait. */
export function waitForMask(
  machine: Machine,
  maskSlot: number,
  operation: Operation,
  complete: (lanes: readonly Thread[]) => void,
  exchange?: Exchange,
): () => void {
  const { registers } = machine;
  return () => {
    const mask = registers.u32[2 * (machine.base + maskSlot)]!;
    wait(machine, { kind: "warp", mask, operation, complete, exchange });
  };
}

/** @throws KernelFault if lanes of the warp are missing */
export function checkWholeWarp(machine: Machine, lanes: readonly Thread[]): void {
  if (lanes.length === LANES) return;
  throw machine.wrongSync(`expected all ${LANES} lanes of the warp, found ${lanes.length}`, lanes[0]);
}

/** `ldmatrix` and `stmatrix`: each group of eight lanes holds the row addresses of one matrix. */
export function matrixAccessStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const isLoad = instruction.operation.name === "ldmatrix";
  const [vector, address] = isLoad ? operands : [operands[1], operands[0]];
  const items = vector?.kind === "vector" ? vector.items : [vector!];
  const slots = items.map((item) => (isLoad ? builder.target(item) : builder.source(item)));
  const { space } = operation;
  const locate = builder.locate(
    address!,
    space === "generic" ? "generic" : "shared",
    ROW_BYTES,
    isLoad ? "load" : "store",
  );
  const transposed = operation.words.has("trans");
  const complete = (lanes: readonly Thread[]) => {
    checkWholeWarp(machine, lanes);
    const rows = lanes.slice(0, MATRIX_ROWS * slots.length).map((thread) => {
      machine.thread = thread;
      machine.resume(thread.frames.at(-1)!);
      return locate();
    });
    lanes.forEach((thread, lane) => {
      slots.forEach((slot, matrix) => {
        // The locations of two elements of a row, or of a column.
        const places = [0, 1].map((element) => {
          const along = 2 * (lane % 4) + element;
          const across = lane >> 2;
          const [row, column] = transposed ? [along, across] : [across, along];
          return rows[MATRIX_ROWS * matrix + row]! + 2 * column;
        });
        const at = baseOf(thread) + slot;
        if (isLoad) {
          const [low = 0n, high = 0n] = places.map((place) => memoryBits(machine, place, 16));
          writeBits(machine, at, 32, low | (high << 16n));
        } else {
          const word = readBits(machine, at, 32);
          places.forEach((place, element) => {
            setMemoryBits(machine, place, 16, (word >> BigInt(16 * element)) & 0xffffn);
          });
        }
      });
    });
  };
  const maskSlot = builder.constant(BigInt(ALL_LANES));
  return waitForMask(machine, maskSlot, operation, complete);
}

/** `activemask`: the lanes that wait for it when their warp cannot continue otherwise. */
export function activeMaskStep(builder: Builder): () => void {
  const { machine } = builder;
  const target = builder.target(builder.instruction.operands[0]);
  const complete = (lanes: readonly Thread[]) => {
    const mask = lanes.reduce((all, { lane }) => all | (1 << lane), 0);
    for (const thread of lanes) machine.registers.u32[2 * (baseOf(thread) + target)] = mask;
  };
  return () => wait(machine, { kind: "activemask", complete });
}

/** Reduces the values of the threads at a barrier, each 0 or 1, to the result for all of them. */
const REDUCTIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  popc: (values) => values.reduce((sum, value) => sum + value, 0),
  and: (values) => (values.every((value) => value === 1) ? 1 : 0),
  or: (values) => (values.some((value) => value === 1) ? 1 : 0),
};

/** `bar.sync`, `bar.arrive`, `bar.red` and the `barrier` forms. */
export function barrierStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { words } = instruction.operation;
  const reduction = words.has("red") ? [...words].find((word) => REDUCTIONS[word] !== undefined) : undefined;
  // An absent count before the predicate is a sink operand.
  const operands = instruction.operands
    .slice(instruction.operation.results)
    .filter(({ kind }) => kind !== "sink");
  const predicate = reduction === undefined ? undefined : builder.source(operands.at(-1)!);
  const numbers = reduction === undefined ? operands : operands.slice(0, -1);
  const [barrierSlot = 0, countSlot] = numbers.map((operand) => builder.source(operand));
  const target = builder.target(instruction.operands[0]);
  const arrives = words.has("arrive");
  const { registers } = machine;
  return () => {
    const at = (slot: number) => registers.u32[2 * (machine.base + slot)]!;
    const barrier = at(barrierSlot);
    const count = countSlot === undefined ? undefined : at(countSlot);
    if (arrives) {
      machine.watch?.arrived(barrier, machine.thread);
      wait(machine, { kind: "arrival", barrier, count });
      return;
    }
    const { base } = machine;
    wait(machine, {
      kind: "barrier",
      barrier,
      count,
      reduction:
        reduction === undefined
          ? undefined
          : {
              value: at(predicate!),
              take: (values) => {
                registers.u32[2 * (base + target)] = REDUCTIONS[reduction]!(values);
              },
            },
    });
  };
}
