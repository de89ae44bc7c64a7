// The arenas of a thread, each with the loop that works on it: in WebAssembly where that is allowed, otherwise in
// JavaScript.
import { Patience } from "@mm-ptx/types/internal";
import { instantiate } from "../instantiate.js";
import { MODULE } from "../wasm/loop.js";
import { Arena } from "./arena.js";
import { runLoop } from "./loop.js";

/** The number of memory pages of a new arena. */
const FIRST_PAGES = 2;

export interface Workplace {
  readonly arena: Arena;
  /** Like `runLoop`, on this arena. */
  readonly runLoop: (start: number, end: number) => number;
  /** The compiler whose tables are in the arena. */
  owner: object | undefined;
  readonly patience: Patience;
}

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
  return workplaceOf(arena, (start, end) => runLoop(arena, start, end));
}

function inWebAssembly(): Workplace | undefined {
  const instance = instantiate(MODULE, FIRST_PAGES);
  if (instance === undefined) return undefined;
  return workplaceOf(new Arena(instance.memory), instance.exports.runLoop as Workplace["runLoop"]);
}

function workplaceOf(arena: Arena, runLoop: Workplace["runLoop"]): Workplace {
  return { arena, runLoop, owner: undefined, patience: new Patience() };
}
