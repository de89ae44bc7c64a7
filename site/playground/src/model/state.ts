// What a link to the playground holds: the kernel, a program for each site, the launch and its data.

/** How the text of a site is read. */
export const LANGUAGES = ["stack", "formula", "ptx"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The text for one site. */
export interface SiteText {
  readonly language: Language;
  readonly text: string;
}

/** The element types of buffers. */
export const ELEMENT_TYPES = ["f32", "f64", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];

/** The types of arguments that are numbers. */
export const NUMBER_TYPES = [
  "f32",
  "f64",
  "s32",
  "u32",
  "s64",
  "u64",
  "s16",
  "u16",
  "s8",
  "u8",
  "f16",
  "bf16",
] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

/** What a buffer contains before the launch. */
export type Fill =
  | { readonly from: "zeros" }
  | { readonly from: "range"; readonly first: number; readonly last: number }
  | { readonly from: "noise"; readonly seed: number; readonly low: number; readonly high: number }
  | { readonly from: "csv"; readonly text: string };

/** A buffer in device memory. */
export interface BufferArgument {
  readonly kind: "buffer";
  readonly name: string;
  readonly type: ElementType;
  readonly length: number;
  readonly fill: Fill;
  /** Whether it is plotted and listed after the launch. */
  readonly shown: boolean;
}

/** A number with the range of its slider. */
export interface NumberArgument {
  readonly kind: "number";
  readonly name: string;
  readonly type: NumberType;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** A struct, which is passed as zeros. */
export interface BytesArgument {
  readonly kind: "bytes";
  readonly name: string;
  readonly length: number;
}

export type Argument = BufferArgument | NumberArgument | BytesArgument;

/** Numbers of blocks or threads in x, y and z. */
export type Dimensions = readonly [number, number, number];

/** The kernel of the module that is launched, and its shape. */
export interface Launch {
  readonly entry: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly sharedBytes: number;
  /** Whether the threads of a warp run in step. */
  readonly lockstep: boolean;
  /** Whether blocks can wait for each other. */
  readonly cooperative: boolean;
}

/** What the emulator looks for during a launch. */
export const CHECKS = ["memory", "races", "uninitialized", "sync"] as const;
export type CheckName = (typeof CHECKS)[number];

/** The pictures that results can be drawn as. */
export const PICTURES = ["line", "histogram", "picture"] as const;
export type PictureKind = (typeof PICTURES)[number];

/** How the results are drawn. */
export interface Picture {
  readonly kind: PictureKind;
  /** For a line, the buffer along the x axis; empty for the index. */
  readonly x: string;
  /** For a picture, its width in elements. */
  readonly width: number;
}

/** Everything that a link holds. */
export interface PlaygroundState {
  /** The example that it began as. */
  readonly example: string;
  /** PTX that replaces the example's kernel. */
  readonly kernel: string | undefined;
  /** By injection. */
  readonly sites: Readonly<Record<string, SiteText>>;
  readonly launch: Launch;
  /** In the order of the kernel's parameters. */
  readonly arguments: readonly Argument[];
  readonly checks: readonly CheckName[];
  readonly picture: Picture;
  /** Of the next mutation. */
  readonly seed: number;
}

/** The most elements of all buffers together. */
export const MOST_ELEMENTS = 4_000_000;
