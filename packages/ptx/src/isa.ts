// The architectures that the compiler of CUDA 13.0 makes machine code for. Names are data: `sm_90a` and `sm_100f` are not
// numbers, and no order is computed from them.

/** An architecture that PTX can be compiled for. */
export interface Architecture {
  /** As compilers take it, for example `sm_100f`. */
  readonly name: string;
  /** The architecture without its suffix, for example `sm_100`. */
  readonly base: string;
  /**
   * "" runs on this and, as PTX, on later devices; "a" only on this one, with all its features; "f" on devices of its
   * family, with the family's features.
   */
  readonly suffix: "" | "a" | "f";
  /** What the flags of a cubin's ELF header hold for `base`. */
  readonly elfNumber: number;
}

const BASES: readonly (readonly [base: string, elfNumber: number, suffixes: readonly ("" | "a" | "f")[]])[] =
  [
    ["sm_75", 75, [""]],
    ["sm_80", 80, [""]],
    ["sm_86", 86, [""]],
    ["sm_87", 87, [""]],
    ["sm_88", 88, [""]],
    ["sm_89", 89, [""]],
    ["sm_90", 90, ["", "a"]],
    ["sm_100", 100, ["", "a", "f"]],
    ["sm_103", 103, ["", "a", "f"]],
    ["sm_110", 110, ["", "a", "f"]],
    ["sm_120", 120, ["", "a", "f"]],
    ["sm_121", 121, ["", "a", "f"]],
  ];

/** Every architecture that the compiler of CUDA 13.0 knows, oldest first. */
export const ARCHITECTURES: readonly Architecture[] = Object.freeze(
  BASES.flatMap(([base, elfNumber, suffixes]) =>
    suffixes.map((suffix) => Object.freeze({ name: `${base}${suffix}`, base, suffix, elfNumber })),
  ),
);

const BY_NAME = new Map(ARCHITECTURES.map((architecture) => [architecture.name, architecture]));

/** The architecture of that exact name. */
export function architecture(name: string): Architecture | undefined {
  return BY_NAME.get(name);
}
