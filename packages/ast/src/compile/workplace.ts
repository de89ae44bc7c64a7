// The arenas of a thread, each with the loop that works on it: in WebAssembly where that is allowed, else in JavaScript.
import { MODULE } from "../wasm/loop.js";
import { Arena } from "./arena.js";
import { runLoop } from "./loop.js";

/** An arena larger than this is not kept for the next compile. */
const MOST_KEPT = 2 ** 24;

export interface Workplace {
  readonly arena: Arena;
  /** As `runLoop`, on this arena. */
  readonly runLoop: (start: number, end: number) => number;
  /** Whose tables lie in the arena. */
  owner: object | undefined;
}

let compiled: WebAssembly.Module | null | undefined;
const kept = new Map<boolean, Workplace>();

/** The workplace for the next compile of this thread, in WebAssembly where that is wanted and allowed. */
export function workplace(webAssembly: boolean): Workplace {
  const found = kept.get(webAssembly);
  if (found !== undefined && found.arena.size <= MOST_KEPT) return found;
  const made = (webAssembly ? inWebAssembly() : undefined) ?? inJavaScript();
  kept.set(webAssembly, made);
  return made;
}

function inJavaScript(): Workplace {
  const arena = new Arena();
  return { arena, runLoop: (start, end) => runLoop(arena, start, end), owner: undefined };
}

function inWebAssembly(): Workplace | undefined {
  if (compiled === null || typeof WebAssembly !== "object") return undefined;
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(MODULE), (each) => each.charCodeAt(0)));
    const memory = new WebAssembly.Memory({ initial: 1 });
    const arena = new Arena(memory);
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    return { arena, runLoop: exports.runLoop as Workplace["runLoop"], owner: undefined };
  } catch (error) {
    // A content security policy without 'wasm-unsafe-eval', or no memory to reserve: the other loop serves.
    if (!(error instanceof WebAssembly.CompileError) && !(error instanceof RangeError)) throw error;
    compiled = null;
    return undefined;
  }
}
