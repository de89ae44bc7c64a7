// Finds the value of each request: the next one down the stack of its register.
import type { StackTable } from "@mm-ptx/types/core";
import { describeValue, MOV_TYPES } from "@mm-ptx/types/internal";
import { lengthOf } from "../arguments.js";
import { StackPtxError, visitFull } from "../error.js";
import type { MachineInputs, MachineTable } from "../machine/table.js";
import { Stack } from "../nodes.js";
import { grown, ROOM, roomFor } from "../room.js";
import type { Workspace } from "../workspace.js";

/** The filled requests in order: the register that each one writes and the node of its value. Kept between compiles. */
export class FilledRequests {
  /** The stacks whose registers a copy can write, or `undefined` when that is not checked. */
  readonly copyable: readonly boolean[] | undefined;
  registers = new Int32Array(ROOM.entries);
  values = new Int32Array(ROOM.entries);
  /** The stack that each value came from. */
  stacks = new Int32Array(ROOM.entries);
  count = 0;
  /** The indices of requests that found no value. */
  readonly unfilled: number[] = [];
  /** The caller's requests, as they were when the compile began. */
  wanted = new Float64Array(ROOM.entries);
  wantedCount = 0;

  /** @param table the table whose register types are checked */
  constructor(table?: StackTable) {
    const types: readonly string[] = MOV_TYPES;
    this.copyable = table?.stackTypes.map(({ literalPrefix }) => types.includes(literalPrefix));
  }

  /**
   * Copies the requests of a compile, because nothing of the caller's is read while it runs.
   * @throws StackPtxError INVALID_ARGUMENT, REGISTER_IDX_OUT_OF_BOUNDS
   */
  load(requests: ArrayLike<number>): void {
    const count = lengthOf("requests", requests);
    if (count > this.wanted.length) this.wanted = new Float64Array(roomFor(count, this.wanted.length));
    for (let request = 0; request < count; request++) {
      const register = requests[request]!;
      if (typeof register !== "number") throw noRegister(request, register, "a number");
      this.wanted[request] = register;
    }
    this.wantedCount = count;
  }

  /** Makes room for one more. */
  reserve(): void {
    if (this.count < this.registers.length) return;
    this.registers = grown(this.registers, this.count + 1);
    this.values = grown(this.values, this.count + 1);
    this.stacks = grown(this.stacks, this.count + 1);
  }
}

/**
 * Pops values off the stacks for the requests; a request whose stack is empty is skipped.
 * @throws StackPtxError REGISTER_IDX_OUT_OF_BOUNDS, STACK_IDX_OUT_OF_BOUNDS; INVALID_ARGUMENT for a stack whose
 * registers cannot be copied
 */
export function fillRequests(
  work: Workspace,
  table: MachineTable,
  inputs: MachineInputs,
  filled: FilledRequests,
): void {
  filled.count = 0;
  if (filled.unfilled.length > 0) filled.unfilled.length = 0;
  for (let request = 0; request < filled.wantedCount; request++) {
    const register = filled.wanted[request]!;
    if (!(register >= 0 && register < inputs.count && Number.isInteger(register))) {
      throw noRegister(request, register, `0 to ${inputs.count - 1} registers`);
    }
    const stack = inputs.stacks[register]!;
    if (stack >= table.stackCount) {
      throw new StackPtxError(
        "STACK_IDX_OUT_OF_BOUNDS",
        `request ${request} names register ${register} of stack ${stack}: expected 0 to ${table.stackCount - 1}`,
      );
    }
    if (filled.copyable?.[stack] === false) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `request ${request} names register ${register} of stack ${stack}, whose registers no \`mov\` can write`,
      );
    }
    const size = work.sizes[stack]!;
    if (size === 0) {
      filled.unfilled.push(request);
      continue;
    }
    if (filled.count === work.limits.maxVisitDepth) throw visitFull(work.limits.maxVisitDepth);
    filled.reserve();
    filled.registers[filled.count] = register;
    filled.values[filled.count] = work.stacks[Stack.pad + stack * work.stride + size - 1]!;
    filled.stacks[filled.count] = stack;
    filled.count++;
    work.sizes[stack] = size - 1;
  }
}

function noRegister(request: number, register: unknown, expected: string): StackPtxError {
  return new StackPtxError(
    "REGISTER_IDX_OUT_OF_BOUNDS",
    `request ${request} names register ${describeValue(register)}: expected ${expected}`,
  );
}
