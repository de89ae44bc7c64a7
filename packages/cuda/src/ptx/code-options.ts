// The options that change machine code, one per row. The types below, the checks of options, the compiler's arguments,
// the cache keys, the command-line flags and the table in the README are all derived from these rows.

/** The possible values of an option. */
export type CodeValues =
  | { readonly kind: "architecture" }
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly least: number; readonly most: number }
  | { readonly kind: "word"; readonly words: readonly string[] };

type ValueOf<Values extends CodeValues> = Values extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Values extends { readonly kind: "boolean" }
    ? boolean
    : Values extends { readonly kind: "number" }
      ? number
      : string;

/** A row of the table. */
export interface CodeOption<Values extends CodeValues = CodeValues, Default = unknown> {
  readonly values: Values;
  /** The value if the option is omitted; `undefined` leaves the choice to the compiler. Absent for required options. */
  readonly default?: Default;
  /** One line of documentation: what the option makes the compiler do; for a boolean, with its non-default value. */
  readonly asks: string;
  /** The letter of the short flag; the long flag is derived from the option's name. */
  readonly letter?: string;
  /**
   * The arguments for nvPTXCompiler and ptxas, which are the same. `native/compiler/mmptxc.c` rejects arguments that
   * are not in its closed list.
   */
  arguments(value: ValueOf<Values>): readonly string[];
  /** Options that it can't be combined with, each with the reason; their defaults are ignored while it is set. */
  readonly excludes?: Readonly<Record<string, string>>;
  /**
   * Why cubins that were compiled with different values of this option are identical, including the log. Without such a
   * reason, the option is part of the cache keys.
   */
  readonly sameCubin?: string;
}

function row<const Values extends CodeValues, Default extends ValueOf<Values> | undefined = never>(
  option: CodeOption<Values, Default>,
): CodeOption<Values, Default> {
  return Object.freeze(option);
}

const EFFORTS = {
  final: "--opt-level=3",
  balanced: "--opt-level=1",
  draft: "--Ofast-compile=max",
} as const;

/** Every option that changes machine code, in the order of the compiler's arguments. */
export const CODE_OPTIONS = Object.freeze({
  /**
   * The architecture to compile for, for example `sm_90` or `sm_100a`; `native` is the architecture of this machine's
   * first GPU.
   */
  arch: row({
    values: { kind: "architecture" },
    asks: "compile for this architecture; `native` is the first GPU's",
    letter: "a",
    arguments: (arch) => [`--gpu-name=${arch}`],
  }),
  /**
   * The optimization effort: `final` is -O3, `balanced` is -O1, `draft` is the compiler's fastest mode. Default:
   * `final`.
   */
  effort: row({
    values: { kind: "word", words: ["final", "balanced", "draft"] },
    default: "final",
    asks: "optimize fully (`final`, -O3), less (`balanced`, -O1), or compile in the fastest mode (`draft`, for searches)",
    arguments: (effort) => [EFFORTS[effort]],
  }),
  /** The maximum number of registers per thread, 1 to 255; the compiler ignores it for kernels with `.maxntid`. */
  maxRegisters: row({
    values: { kind: "number", least: 1, most: 255 },
    default: undefined,
    asks: "use at most this many registers per thread; ignored, with a warning, for kernels with `.maxntid`",
    arguments: (registers) => [`--maxrregcount=${registers}`],
  }),
  /** Keeps the line numbers of the PTX, or of its `.loc` directives, in the cubin. Default: `false`. */
  lineInfo: row({
    values: { kind: "boolean" },
    default: false,
    asks: "keep the line numbers of the PTX; line numbers of `.loc` directives are always kept",
    arguments: (on) => (on ? ["--generate-line-info"] : []),
  }),
  /**
   * Keeps debug information and disables optimization; can't be combined with `effort` or `lineInfo`. Default: `false`.
   */
  debug: row({
    values: { kind: "boolean" },
    default: false,
    asks: "keep debug information, and disable optimization",
    arguments: (on) => (on ? ["--opt-level=0", "--device-debug"] : []),
    excludes: {
      effort: "debug code is not optimized",
      lineInfo: "`debug` keeps line numbers as well",
    },
  }),
  /** `false` keeps `mul` and `add` separate instead of fusing them into one instruction. Default: `true`. */
  fmad: row({
    values: { kind: "boolean" },
    default: true,
    asks: "keep `mul` and `add` separate instead of fusing them into one instruction",
    arguments: (on) => (on ? [] : ["--fmad=false"]),
  }),
});

type Rows = typeof CODE_OPTIONS;
type ValueIn<Row> = Row extends CodeOption<infer Values, infer Default> ? ValueOf<Values> | Default : never;
type RequiredName = {
  [Name in keyof Rows]: Rows[Name] extends CodeOption<CodeValues, infer Default>
    ? [Default] extends [never]
      ? Name
      : never
    : never;
}[keyof Rows];

/** The target of a compile: the options that change machine code, with all defaults. */
export type Target = { readonly [Name in keyof Rows]: ValueIn<Rows[Name]> };

type Given<Options> = { readonly [Name in keyof Options]?: NonNullable<Options[Name]> };

/** The options that change machine code, as the caller passes them. */
export type CodeOptions = Pick<Target, RequiredName> & Given<Omit<Target, RequiredName>>;

/** The optimization effort; for kernels of about 20 KB or more, `draft` takes 0.4 of the time. */
export type Effort = Target["effort"];
