// The names in a pack: a name, a separator of underscores, and the number of the variant. Any PTX identifier may end in
// underscores and digits, including mangled C++ names.
import { describeValue } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";

/** The names of a pack as plain data that can accompany a cubin: what `unpackName` needs. */
export interface PackNames {
  /** The original names of the kernels that each variant has. */
  readonly entries: readonly string[];
  /** The text between the original name and the number of the variant. */
  readonly separator: string;
  /** The number of variants. */
  readonly count: number;
}

/** The kernel and variant that a name belongs to. */
export interface UnpackedName {
  /** Counted from 0, like the stubs that were packed. */
  readonly variant: number;
  /** The original name of the kernel. */
  readonly entry: string;
}

/** The `name` of a variant: `scale_7`. */
export function packedName(name: string, separator: string, variant: number): string {
  return `${name}${separator}${variant}`;
}

/**
 * The shortest separator with which no word of the module equals a name in the pack, for any number of variants. A
 * kernel that its author called `scale_1` is therefore never mistaken for variant 1 of `scale`.
 */
export function separatorFor(repeated: ReadonlySet<string>, words: Iterable<string>): string {
  let separator = "_";
  for (const word of words) {
    const stem = word.replace(/\d+$/, "");
    const underscores = /_*$/.exec(stem)![0].length;
    if (stem.length === word.length || underscores < separator.length) continue;
    for (let length = separator.length; length <= underscores; length++) {
      if (repeated.has(stem.slice(0, stem.length - length))) separator = "_".repeat(length + 1);
    }
  }
  return separator;
}

/**
 * The kernel and variant that a symbol or section of a cubin belongs to: the kernel's own name (`scale_7`), one of its
 * sections (`.text.scale_7`), or a function that was compiled into it (`$scale_7$helper`). `undefined` if it belongs to
 * no variant.
 *
 * @throws PtxInjectError INVALID_ARGUMENT for an argument of the wrong kind
 */
export function unpackName(names: PackNames, symbol: string): UnpackedName | undefined {
  checkNames(names);
  if (typeof symbol !== "string") throw invalid("the name of a symbol or section", symbol);
  // PTX names contain no dots, so the part after the last one is the kernel's name.
  const name = symbol.slice(symbol.lastIndexOf(".") + 1);
  const own = unpackEntry(names, name);
  if (own !== undefined || !name.startsWith("$")) return own;
  for (let end = name.lastIndexOf("$"); end > 0; end = name.lastIndexOf("$", end - 1)) {
    const found = unpackEntry(names, name.slice(1, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

function unpackEntry({ entries, separator, count }: PackNames, name: string): UnpackedName | undefined {
  const number = /(?:0|[1-9]\d*)$/.exec(name)?.[0];
  if (number === undefined || Number(number) >= count) return undefined;
  const stem = name.slice(0, name.length - number.length);
  const entry = stem.slice(0, stem.length - separator.length);
  return stem.endsWith(separator) && entries.includes(entry) ? { variant: Number(number), entry } : undefined;
}

/** Checks the names, because they may have been stored and loaded outside of this package. */
function checkNames(names: PackNames): void {
  const { entries, separator, count } = names ?? {};
  const isWhole = Array.isArray(entries) && typeof separator === "string" && Number.isInteger(count);
  if (!isWhole) throw invalid("the names of a pack", names);
}

function invalid(expected: string, found: unknown): PtxInjectError {
  return new PtxInjectError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
}
