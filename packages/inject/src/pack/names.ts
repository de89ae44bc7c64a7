// What things are called in a pack: a name, a separator of underscores, and the number of the variant. Underscores and
// digits may end any PTX identifier, those that C++ mangles too.
import { describeValue } from "@mm-ptx/types/core";
import { PtxInjectError } from "../error.js";

/** The names of a pack as plain data, to travel with a cubin: what `unpackName` needs. */
export interface PackNames {
  /** The original names of the kernels that each variant has. */
  readonly entries: readonly string[];
  /** Stands between the original name and the number of the variant. */
  readonly separator: string;
  /** How many variants there are. */
  readonly count: number;
}

/** Which kernel of which variant a name belongs to. */
export interface UnpackedName {
  /** Counted from 0, as the stubs that were packed. */
  readonly variant: number;
  /** The original name of the kernel. */
  readonly entry: string;
}

/** `name` of a variant: `scale_7`. */
export function packedName(name: string, separator: string, variant: number): string {
  return `${name}${separator}${variant}`;
}

/**
 * The shortest separator with which no word of the module is the name that something gets in a pack, of however many
 * variants. So `scale_1`, which somebody wrote, is never mistaken for variant 1 of `scale`.
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
 * Which kernel of which variant a symbol or section of a cubin belongs to: the kernel's own name (`scale_7`), a section of
 * it (`.text.scale_7`), or a function that was compiled into it (`$scale_7$helper`). `undefined` for what is of no variant.
 *
 * @throws PtxInjectError INVALID_INPUT when an argument is of another kind
 */
export function unpackName(names: PackNames, symbol: string): UnpackedName | undefined {
  checkNames(names);
  if (typeof symbol !== "string") throw invalid("the name of a symbol or section", symbol);
  // Names of PTX have no dots, so what stands behind the last one is the kernel's.
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

/** Names come from wherever the cubin was kept. */
function checkNames(names: PackNames): void {
  const { entries, separator, count } = names ?? {};
  const isWhole = Array.isArray(entries) && typeof separator === "string" && Number.isInteger(count);
  if (!isWhole) throw invalid("the names of a pack", names);
}

function invalid(expected: string, found: unknown): PtxInjectError {
  return new PtxInjectError("INVALID_INPUT", `expected ${expected}, found ${describeValue(found)}`);
}
