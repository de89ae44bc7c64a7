// Demangles C++ names as c++filt does. Names in a text can be anything, so the work is bounded, and names that cannot be
// read stay as they are.
import { type Node, shown, Unreadable } from "./node.js";
import { SymbolReader } from "./reader.js";

/** The longest mangled name that is read. */
const LONGEST = 20_000;

/** A C++ name in readable form. */
export interface Demangled {
  /**
   * The name with template arguments, parameters and, for templates, the type of the result: `void
   * ns::scale<float>(float*)`.
   */
  readonly text: string;
  /** The name with template arguments, without parameters: `ns::scale<float>`. */
  readonly name: string;
  /** The name without template arguments: `ns::scale`. */
  readonly path: string;
}

const known = new Map<string, Demangled>();
/** The most names that are remembered. */
const MOST_KNOWN = 1000;

/** Demangles a symbol; all three forms of a name that is not mangled are the name itself. */
export function demangled(symbol: string): Demangled {
  const found = known.get(symbol) ?? read(symbol);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(symbol, found);
  return found;
}

/** The readable form of a mangled C++ name: `scale(float*, float)` for `_Z5scalePff`. Other names stay as they are. */
export function demangle(symbol: string): string {
  return demangled(symbol).text;
}

function read(symbol: string): Demangled {
  const plain = { text: symbol, name: symbol, path: symbol };
  if (!symbol.startsWith("_Z") || symbol.length > LONGEST) return plain;
  try {
    const { name, whole } = new SymbolReader(symbol).read();
    const print = (what: Node, bare: boolean) => shown(what, { bare, effort: { work: 0, depth: 0 } });
    return { text: print(whole, false), name: print(name, false), path: print(name, true) };
  } catch (error) {
    if (error instanceof Unreadable) return plain;
    throw error;
  }
}
