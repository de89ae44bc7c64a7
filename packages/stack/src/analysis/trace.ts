// Traces a program instruction by instruction: what each one does, and the stacks after it. This code serves teaching
// and pages that show a program at work, so it is simple rather than fast.
import type { StackTable } from "@mm-ptx/types/core";
import { type DecodedInstruction, decodeInstruction } from "../decode.js";
import type { FilledRequests } from "../emit/requests.js";
import { StackPtxError } from "../error.js";
import type { InputRegisters } from "../inputs.js";
import { InstructionType, MAIN_PROGRAM, Packed } from "../layout.js";
import { MOST_TRACED } from "../limits.js";
import type { FetchLoop } from "../loops/loops.js";
import type { Frames } from "../machine/frames.js";
import { slotPlace } from "../machine/slots.js";
import type { MachineTable } from "../machine/table.js";
import { Stack } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { type InstructionOutcome, outcomeOf, type Shortage, type Situation } from "./outcome.js";
import { type TraceValue, ValueTexts } from "./value-texts.js";

/** A slot that holds a value. */
export interface TraceSlot {
  /** The number of the slot. */
  readonly slot: number;
  /** The stack that a load pushes it onto. */
  readonly stack: number;
  /** The value in the slot. */
  readonly value: TraceValue;
}

/**
 * The stacks after an instruction. A list that the instruction does not change is the same object as in the step
 * before.
 */
export interface TraceState {
  /** The values of each stack, the top one last. */
  readonly stacks: readonly (readonly TraceValue[])[];
  /** The numbers of the meta stack, the top one last. */
  readonly meta: readonly number[];
  /** The slots that hold a value, in ascending order. */
  readonly slots: readonly TraceSlot[];
}

/** An instruction that was fetched. */
export interface TraceStep extends TraceState {
  /** The routine that contains it; `undefined` in the program itself. */
  readonly routine: number | undefined;
  /** Its index in that routine or in the program. An omitted return has the index after the last instruction. */
  readonly index: number;
  /** Frames in use, 1 in the program itself. */
  readonly frames: number;
  /** The decoded instruction. */
  readonly instruction: DecodedInstruction;
  /** Why it did nothing, or what was lost. */
  readonly outcome: InstructionOutcome;
  /** The outcome in words, such as `needs 2 values of F32, found 1`; empty when the instruction ran without losses. */
  readonly remark: string;
}

/** A request and the value that it takes. */
export interface TraceRequest {
  /** The name of the register that is written. */
  readonly register: string;
  /** The stack that the value is popped from. */
  readonly stack: number;
  /** `undefined` when the stack was empty. */
  readonly value: TraceValue | undefined;
}

/** Options of a trace. */
export interface TraceOptions {
  /** The maximum number of characters in the text of a value; longer texts are cut. The default is 120. */
  readonly longestText?: number;
}

/** The result of `StackCompiler.trace`. */
export interface StackTrace {
  /** The steps in the order in which the machine fetched them. */
  readonly steps: readonly TraceStep[];
  /** Whether the execution limit stopped the program before it returned. */
  readonly executionLimitHit: boolean;
  /** The values that the requests pop from the stacks at the end, in order. */
  readonly requests: readonly TraceRequest[];
}

/** The return that ends a frame whose words have run out. */
const RETURN: readonly [head: number, payload: number] = [InstructionType.return, 0];

type Fetched = Omit<TraceStep, keyof TraceState>;

/** Replaces the fetch loop and fetches nothing, so that the machine passes through here before each instruction. */
export class Tracer implements FetchLoop, Situation {
  readonly steps: TraceStep[] = [];
  readonly #values: ValueTexts;
  #fetched: Fetched | undefined;
  #state: TraceState;
  /** The number of entries in all lists that the steps hold. */
  #entries = 0;

  readonly #table: StackTable;

  constructor(
    table: StackTable,
    readonly work: Workspace,
    readonly machine: MachineTable,
    readonly inputs: InputRegisters,
    readonly frames: Frames,
    longestText: number,
  ) {
    this.#table = table;
    this.#values = new ValueTexts(table, work, machine, inputs, longestText);
    this.#state = { stacks: table.stackTypes.map(() => []), meta: [], slots: [] };
  }

  begin(): void {}

  run(words: Uint32Array, start: number, _end: number, routine: number): number {
    this.settle();
    const [head, payload] = start < words.length ? [words[start]!, words[start + 1]!] : RETURN;
    const outcome = outcomeOf(this, head, payload);
    this.#fetched = {
      routine: routine === MAIN_PROGRAM ? undefined : routine,
      index: start / Packed.wordsPerInstruction,
      frames: this.frames.depth + 1,
      instruction: decodeInstruction({ head, payload }),
      outcome,
      remark: remarkOn(outcome, this.#table),
    };
    return start;
  }

  /** Ends the trace, before the requests pop their values. */
  settle(): void {
    if (this.#fetched === undefined) return;
    this.#state = this.#stateNow();
    this.steps.push({ ...this.#fetched, ...this.#state });
    this.#fetched = undefined;
    if (this.#entries + this.#values.characters <= MOST_TRACED) return;
    throw new StackPtxError(
      "INVALID_ARGUMENT",
      `expected a program whose trace holds at most ${MOST_TRACED} values and characters, found one that needs more after ${this.steps.length} instructions: set \`executionLimit\` to end it sooner`,
    );
  }

  /** The values that the requests have taken. */
  requests(filled: FilledRequests): TraceRequest[] {
    const unfilled = new Set(filled.unfilled);
    let next = 0;
    return Array.from(filled.wanted.subarray(0, filled.wantedCount), (register, request) => ({
      register: this.inputs.names[register]!,
      stack: this.inputs.stacks[register]!,
      value: unfilled.has(request) ? undefined : this.#values.of(filled.values[next++]!),
    }));
  }

  #stateNow(): TraceState {
    const state = this.#state;
    const values = this.#values;
    const { work } = this;
    const stacks = state.stacks.map((before, stack) => {
      const bottom = Stack.pad + stack * work.stride;
      const now: TraceValue[] = [];
      for (let at = bottom; at < bottom + work.sizes[stack]!; at++) now.push(values.of(work.stacks[at]!));
      return this.#kept(before, now);
    });
    const slots = work.filledSlots().map((slot, index) => {
      const place = slotPlace(work, slot);
      const value = values.of(work.slots[place]!);
      const stack = work.slotStacks[place]!;
      const before = state.slots[index];
      const same = before?.slot === slot && before.stack === stack && before.value === value;
      return same ? before : { slot, stack, value };
    });
    return {
      stacks: this.#kept(state.stacks, stacks),
      meta: this.#kept(state.meta, [...work.metaStack.subarray(0, work.metaSize)]),
      slots: this.#kept(state.slots, slots),
    };
  }

  /** Returns the first list when the second has the same contents; otherwise the second, which then counts as held. */
  #kept<T>(before: readonly T[], now: readonly T[]): readonly T[] {
    if (before.length === now.length && before.every((each, index) => each === now[index])) return before;
    this.#entries += now.length;
    return now;
  }
}

type NameOf = (stack: number) => string;

const REMARKS: {
  readonly [What in Shortage["what"]]: (missing: Shortage & { what: What }, nameOf: NameOf) => string;
} = {
  values: ({ stack, needed, found }, nameOf) =>
    `needs ${needed} ${needed === 1 ? "value" : "values"} of ${nameOf(stack)}, found ${found}`,
  room: ({ stack }, nameOf) => `${nameOf(stack)} is full`,
  "meta-room": () => "the meta stack is full",
  number: () => "the meta stack is empty",
  slot: ({ slot }) => `slot ${slot} is empty`,
  frame: () => "routines are nested too deeply",
};

function remarkOn({ dropped, missing, lostNumber }: InstructionOutcome, { stackTypes }: StackTable): string {
  const nameOf = (stack: number) => stackTypes[stack]!.name;
  const parts = dropped.map(
    ({ stack, count }) => `${nameOf(stack)} is full and drops ${count} of the values pushed`,
  );
  if (missing !== undefined) {
    const remark = REMARKS[missing.what] as (missing: Shortage, nameOf: NameOf) => string;
    parts.push(remark(missing, nameOf));
  }
  if (lostNumber !== undefined) parts.push(`${lostNumber} is popped from the meta stack anyway`);
  return parts.join("; ");
}
