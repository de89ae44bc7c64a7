// What an example of the gallery has.
import type {
  Argument,
  BufferArgument,
  ElementType,
  Fill,
  NumberArgument,
  NumberType,
  PlaygroundState,
  SiteText,
} from "../state.js";

/** A program to load in place of another one, or to cross over with. */
export interface Variant extends SiteText {
  readonly title: string;
}

/** An example of the gallery. */
export interface Example {
  /** Its name in links, and that of its kernel's file. */
  readonly name: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly summary: string;
  /** What to try, in a sentence. */
  readonly task: string;
  /** Further programs by injection. */
  readonly variants: Readonly<Record<string, readonly Variant[]>>;
  readonly state: PlaygroundState;
}

/** What the launches of examples have in common. */
export const LAUNCH = { sharedBytes: 0, lockstep: false, cooperative: false } as const;

/** A state with the values that most examples share. */
export function stateOf(
  example: string,
  parts: Pick<PlaygroundState, "sites" | "launch" | "arguments"> & Partial<PlaygroundState>,
): PlaygroundState {
  return {
    example,
    kernel: undefined,
    checks: ["memory"],
    picture: { kind: "line", x: "", width: 32 },
    seed: 1,
    ...parts,
  };
}

/** A buffer that the kernel reads. */
export const data = (
  name: string,
  length: number,
  fill: Fill,
  type: ElementType = "f32",
): BufferArgument => ({
  kind: "buffer",
  name,
  type,
  length,
  fill,
  shown: false,
});

/** A buffer whose content is shown. */
export const result = (name: string, length: number, type: ElementType = "f32"): BufferArgument => ({
  kind: "buffer",
  name,
  type,
  length,
  fill: { from: "zeros" },
  shown: true,
});

/** The same buffer, shown. */
export const shown = (buffer: BufferArgument): BufferArgument => ({ ...buffer, shown: true });

/** A number with a slider. */
export const slider = (
  name: string,
  type: NumberType,
  value: number,
  [least, most, step]: readonly [number, number, number],
): NumberArgument => ({ kind: "number", name, type, value, least, most, step });

/** A number that has to fit the data, such as a count. */
export const fixed = (name: string, value: number): Argument => slider(name, "u32", value, [0, value, 1]);

/** Stack PTX from lines. */
export const stack = (...lines: readonly string[]): SiteText => ({
  language: "stack",
  text: `${lines.join("\n")}\n`,
});

/** A formula. */
export const formula = (text: string): SiteText => ({ language: "formula", text: `${text}\n` });

/** PTX from lines. */
export const ptx = (...lines: readonly string[]): SiteText => ({ language: "ptx", text: lines.join("\n") });
