// What stands on the stacks after each line of a program, as data for the pictures beside the lines.
import type { StackAnalysis, StackTrace, TraceStep, TraceValue } from "@mm-ptx/stack";
import type { StackTable } from "@mm-ptx/types/core";

/** A value as a box. */
export interface PictureValue {
  /** Equal for copies of a value. */
  readonly id: number;
  /** A few characters. */
  readonly label: string;
  /** The whole value. */
  readonly text: string;
  /** Whether the stub contains it. */
  readonly live: boolean;
}

/** A stack with its top at the end. */
export interface PictureStack {
  readonly name: string;
  readonly values: readonly PictureValue[];
}

/** The stacks after a line. */
export interface StackPicture {
  /** Counted from 1. */
  readonly line: number;
  /** Those that hold a value. */
  readonly stacks: readonly PictureStack[];
  /** Why the instruction did nothing, or what was lost; empty otherwise. */
  readonly remark: string;
  /** Whether the instruction makes a value that the stub contains; `undefined` if it makes no values. */
  readonly live: boolean | undefined;
  /** Whether the instruction did nothing. */
  readonly skipped: boolean;
}

/** What pictures are made of. */
export interface PictureParts {
  readonly table: StackTable;
  readonly trace: StackTrace;
  readonly analysis: Pick<StackAnalysis, "live" | "dead" | "routines">;
  /** The line of each instruction. */
  readonly lines: readonly number[];
}

/** The pictures of the instructions that ran, in the order of their lines. */
export function stackPictures({ table, trace, analysis, lines }: PictureParts): StackPicture[] {
  const live = new Set(analysis.live);
  const dead = new Set(analysis.dead);
  const inRoutines = analysis.routines.map((routine) => new Set(routine.live));
  const isLive = ({ routine, index }: TraceStep) =>
    routine === undefined ? live.has(index) : inRoutines[routine]?.has(index) === true;
  const labels = new Labels();
  const last = new Map<number, { readonly own: TraceStep; readonly after: TraceStep }>();
  let current: { own: TraceStep; after: TraceStep } | undefined;
  for (const step of trace.steps) {
    // What a routine leaves belongs to the instruction that called it.
    current =
      step.routine === undefined ? { own: step, after: step } : current && { ...current, after: step };
    if (current === undefined) continue;
    labels.note(step, lines[current.own.index], isLive(step));
    last.set(current.own.index, current);
  }
  return [...last].flatMap(([index, { own, after }]) => {
    const line = lines[index];
    if (line === undefined) return [];
    const stacks = after.stacks.flatMap((values, stack) =>
      values.length === 0
        ? []
        : [
            {
              name: table.stackTypes[stack]?.name ?? `${stack}`,
              values: values.map((one) => labels.of(one)),
            },
          ],
    );
    const numbers = after.meta.map((number) => ({
      id: -1,
      label: `${number}`,
      text: `${number}`,
      live: true,
    }));
    return [
      {
        line,
        stacks: numbers.length === 0 ? stacks : [...stacks, { name: "meta", values: numbers }],
        remark: own.remark,
        live: live.has(index) ? true : dead.has(index) ? false : undefined,
        skipped: own.outcome.missing !== undefined,
      },
    ];
  });
}

/** Short names of values: of inputs and constants their own, of others the operation and the line that made them. */
class Labels {
  readonly #known = new Map<number, PictureValue>();

  /** Notes the values that a step has made. */
  note({ stacks }: TraceStep, line: number | undefined, live: boolean): void {
    for (const values of stacks) {
      for (let i = values.length - 1; i >= 0; i--) {
        const value = values[i];
        if (value === undefined || this.#known.has(value.id)) break;
        this.#known.set(value.id, { ...value, label: labelOf(value.text, line), live });
      }
    }
  }

  of(value: TraceValue): PictureValue {
    return this.#known.get(value.id) ?? { ...value, label: labelOf(value.text, undefined), live: true };
  }
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

function labelOf(text: string, line: number | undefined): string {
  if (/^0f[0-9A-Fa-f]{8}$/.test(text)) return shortNumber(floatOf(text));
  if (/^0x[0-9A-Fa-f]{8}U?$/.test(text)) return integerLabel(Number.parseInt(text, 16));
  if (!text.includes("(")) return text.replace(/^%/, "");
  const [operation = ""] = text.split(/[.(]/);
  const place = line === undefined ? "" : [...`${line}`].map((digit) => SUBSCRIPTS[Number(digit)]).join("");
  return operation + place;
}

/** Small integers in decimal, others as bits. */
const integerLabel = (bits: number): string =>
  bits < 2 ** 16 ? `${bits}` : `0x${bits.toString(16).toUpperCase()}`;

function floatOf(text: string): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, Number.parseInt(text.slice(2), 16));
  return view.getFloat32(0);
}

const shortNumber = (value: number): string => `${Number(value.toPrecision(4))}`;
