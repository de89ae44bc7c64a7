// The arenas of a thread, each with the loop that works on it: in WebAssembly where that is allowed, else in JavaScript.
import { Patience } from "../patience.js";
import { MODULE } from "../wasm/loop.js";
import { Arena } from "./arena.js";
import { runLoop } from "./loop.js";

export interface Workplace {
  readonly arena: Arena;
  /** As `runLoop`, on this arena. */
  readonly runLoop: (start: number, end: number) => number;
  /** Whose tables lie in the arena. */
  owner: object | undefined;
  readonly patience: Patience;
}

let compiled: WebAssembly.Module | null | undefined;
const kept = new Map<boolean, Workplace>();

/**
 * The workplace for the next compile of this thread.
 * @param webAssembly whether its loop may be WebAssembly, where that is allowed
 * @param programBytes the length of the program
 */
export function workplace(webAssembly: boolean, programBytes: number): Workplace {
  const found = kept.get(webAssembly);
  if (found?.patience.keeps(found.arena.size, programBytes)) return found;
  const made = (webAssembly ? inWebAssembly() : undefined) ?? inJavaScript();
  kept.set(webAssembly, made);
  return made;
}

function inJavaScript(): Workplace {
  const arena = new Arena();
  return {
    arena,
    runLoop: (start, end) => runLoop(arena, start, end),
    owner: undefined,
    patience: new Patience(),
  };
}

function inWebAssembly(): Workplace | undefined {
  if (compiled === null || typeof WebAssembly !== "object") return undefined;
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(MODULE), (each) => each.charCodeAt(0)));
    const memory = new WebAssembly.Memory({ initial: 1 });
    const arena = new Arena(memory);
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    return {
      arena,
      runLoop: exports.runLoop as Workplace["runLoop"],
      owner: undefined,
      patience: new Patience(),
    };
  } catch (error) {
    // A content security policy without 'wasm-unsafe-eval', or no memory to reserve: the other loop serves.
    if (!(error instanceof WebAssembly.CompileError) && !(error instanceof RangeError)) throw error;
    compiled = null;
    return undefined;
  }
}
