// Finds kernels by their names in CUDA: `scale`, `ns::scale<float>` or a whole signature.
import { demangled } from "@mm-ptx/ptx";
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";

/**
 * The name in the PTX of the kernel that a name means: exactly this name, or the only one that has it in CUDA, with or
 * without namespaces, template arguments and parameters.
 * @throws EmulatorError NOT_FOUND if there is none; INVALID_ARGUMENT if there are several
 */
export function kernelNamed(name: string, kernels: readonly string[]): string {
  if (typeof name !== "string" || kernels.includes(name)) return known(name, kernels);
  const wanted = compact(name);
  const candidates = kernels.map((symbol) => ({ symbol, forms: formsOf(symbol) }));
  const whole = candidates.filter(({ forms }) => forms.includes(wanted));
  const found =
    whole.length > 0
      ? whole
      : candidates.filter(({ forms }) => forms.some((form) => form.endsWith(`::${wanted}`)));
  if (found.length <= 1) return known(found[0]?.symbol ?? name, kernels);
  throw new EmulatorError(
    "INVALID_ARGUMENT",
    `expected the name of one kernel, found ${quoted(name)}, which means ${listOf(found.map(({ symbol }) => symbol))}`,
  );
}

/** A kernel's name in CUDA, followed by its name in the PTX if that differs. */
export function kernelWords(symbol: string): string {
  const { text } = demangled(symbol);
  return text === symbol ? quoted(symbol) : `${quoted(text)} (${symbol})`;
}

function known(name: string, kernels: readonly string[]): string {
  if (kernels.includes(name)) return name;
  const names = kernels.length === 0 ? "none" : listOf(kernels);
  const paths = kernels.flatMap((symbol) => [symbol, demangled(symbol).path]);
  const hint = typeof name === "string" ? didYouMean(name, [...new Set(paths)]) : "";
  throw new EmulatorError(
    "NOT_FOUND",
    `expected a kernel of the module (${names}), found ${describeValue(name)}${hint}`,
  );
}

const listOf = (kernels: readonly string[]): string => kernels.map(kernelWords).join(", ");

/** The forms of a name that users may write: path, with template arguments, with parameters, with the result. */
function formsOf(symbol: string): readonly string[] {
  const { text, name, path } = demangled(symbol);
  const signature = text.slice(Math.max(0, text.indexOf(name)));
  return [...new Set([path, name, signature, text].map(compact))];
}

/** A name without blanks and without the suffixes of integer literals. */
const compact = (name: string): string => name.replace(/\s+/g, "").replace(/\b(\d+)(ull|ul|u|ll|l)\b/g, "$1");
