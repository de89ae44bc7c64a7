// Steps of instructions that procedures carry out, and waits for phases of barrier objects.
import { waitsForPhase } from "../procedures/barrier-object.js";
import { procedureOf } from "../procedures/index.js";
import type { Procedure, ProcedureHost } from "../procedures/procedure.js";
import { itemsOf, type Operand } from "../program/operand.js";
import { TYPES } from "../program/types.js";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import { readBits, writeBits } from "./values.js";
import { wait } from "./warp-steps.js";

const hosts = new WeakMap<Machine, ProcedureHost>();

/** The running thread of a machine, as procedures see it. */
function hostOf(machine: Machine): ProcedureHost {
  let host = hosts.get(machine);
  if (host === undefined) {
    host = {
      get view() {
        return machine.view;
      },
      place: (address, space, bytes, access) => {
        const low = Number(address & 0xffffffffn);
        const high = Number(address >> 32n);
        if (space === "shared") return machine.sumInArea(machine.shared, low, high, 0, bytes, access, space);
        return machine.generic(low, high, 0, bytes, access, space);
      },
      isShared: (offset) => machine.isShared(offset) || machine.cluster.isShared(offset),
      synchronize: (kind, offset) => machine.watch?.synchronize(kind, offset, machine.thread),
      trap: (detail) => machine.trap(detail),
    };
    hosts.set(machine, host);
  }
  return host;
}

/** The step of an instruction with a procedure; undefined for other instructions. */
export function procedureStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const procedure = procedureOf(operation);
  if (procedure === undefined) return undefined;
  const { results, operandTypes } = operation;
  const read = operands
    .slice(results)
    .flatMap((operand, i) =>
      itemsOf(operand).map((item) => sourceOf(builder, item, operandTypes[results + i])),
    );
  const write = operands.slice(0, results).flatMap((operand, i) =>
    itemsOf(operand).map((item) => {
      const slot = builder.target(item);
      const bits = builder.targetBits(item, operandTypes[i]!);
      return (base: number, value: bigint) => writeBits(machine, base + slot, bits, value);
    }),
  );
  const perform = (base: number, values: readonly bigint[]) => {
    for (let i = 0; i < write.length; i++) write[i]!(base, values[i]!);
  };
  const host = hostOf(machine);
  if (waitsForPhase(operation)) return () => waitForPhase(machine, host, procedure, read, perform);
  return () => {
    const { base } = machine;
    perform(
      base,
      procedure(
        host,
        read.map((source) => source()),
      ),
    );
  };
}

type Source = () => bigint | undefined;

function waitForPhase(
  machine: Machine,
  host: ProcedureHost,
  procedure: Procedure,
  read: readonly Source[],
  write: (base: number, values: readonly bigint[]) => void,
): void {
  const sources = read.map((source) => source());
  const { base, thread } = machine;
  wait(machine, {
    kind: "phase",
    operation: machine.operation,
    test: (noLonger) => {
      machine.thread = thread;
      const result = procedure(host, sources);
      const isComplete = result[0] === 1n;
      if (isComplete || noLonger) write(base, result);
      return isComplete;
    },
  });
}

/** Reads a source of the running thread. */
function sourceOf(builder: Builder, operand: Operand, type: keyof typeof TYPES | undefined): Source {
  const { machine } = builder;
  if (operand.kind === "sink") return () => undefined;
  const slot = builder.source(operand);
  if (operand.kind !== "address") {
    const bits = TYPES[type ?? "b64"].bits;
    return () => readBits(machine, machine.base + slot, bits);
  }
  const { base, offset } = operand;
  if (base.kind !== "register") return () => readBits(machine, machine.base + slot, 64);
  const { bits } = TYPES[builder.fn.registers[base.register]!.type];
  return () => BigInt.asUintN(bits, readBits(machine, machine.base + slot, bits) + BigInt(offset));
}
