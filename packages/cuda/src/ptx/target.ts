// What machine code is made for, and how hard the compiler tries: all that decides about the result besides the PTX.

/** How hard the compiler tries: -O3, -O1, or its fastest mode (0.4 of the time for kernels from about 20 KB up). */
export type Effort = "final" | "balanced" | "draft";

/** The options of a compile with every default filled in. */
export interface Target {
  readonly arch: string;
  readonly effort: Effort;
  readonly maxRegisters: number | undefined;
  readonly lineInfo: boolean;
  readonly debug: boolean;
  readonly fmad: boolean;
}
