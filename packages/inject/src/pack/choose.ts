// Which declarations of a module each variant needs for itself, and which all can share: a closure over who uses what,
// from the functions with sites to everything that uses these, and to the state that they change.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import type { Module, ModuleItem } from "./module.js";

/** What is repeated and what is left out. */
interface Choice {
  /** The names that each variant has for itself. */
  readonly repeated: ReadonlySet<string>;
  /** Items, by index, that are in no variant: kernels that were not asked for, and what only they use. */
  readonly dropped: ReadonlySet<number>;
  /** Everything that a variant uses. */
  readonly reached: ReadonlySet<string>;
}

/** What the choice depends on, apart from the module. */
export interface Wishes {
  /** The kernels to repeat; otherwise all that have to be. */
  readonly kernels: readonly string[] | undefined;
  /** Variables that a thread may write and that all variants share nevertheless. */
  readonly shared: readonly string[] | "all";
  /** Names that stubs use, registers of the kernel among them. */
  readonly mentioned: readonly string[];
}

/**
 * By kind of declaration:
 *
 * - `.entry` and `.func`: repeated when a site is in it, or when it uses something that is repeated. The assembler puts a
 *   copy of a shared function into every kernel that calls it, so sharing changes no machine code.
 * - `.global`: repeated when a variant may reach it and a thread may write it: alone, each variant would have its own and
 *   find it as it was initialised. Shared are those that are only read, what C++ itself never writes (string literals,
 *   virtual tables), `.extern` ones, which another module holds, and those that the caller names.
 * - `.const`, textures, surfaces, samplers: no thread writes them, so they are shared; the host fills them once.
 * - `.shared`, `.extern` or not: shared. It is a name for a place that each running block has for itself, and a kernel gets
 *   room for those alone that it uses.
 * - What is initialised with the address of something repeated, and an `.alias` of it: repeated.
 * - What is declared inside a function (registers, labels, parameters, its own variables) comes with the function.
 *
 * @param withSites the items, by index, that contain a site
 */
export function choose(module: Module, withSites: ReadonlySet<number>, wishes: Wishes): Choice {
  const graph = new Graph(module.items);
  const kernels = wishes.kernels ?? [];
  for (const name of kernels) checkKernel(module, name);
  if (wishes.shared !== "all") for (const name of wishes.shared) checkVariable(module, name);

  const state = stateOf(module, wishes);
  const own = [...withSites].flatMap((index) => module.items[index]!.names);
  const repeated = new Set([...own, ...kernels]);
  // Users of what is repeated are repeated, and so is the state that these reach, whose users are as well.
  let reached = new Set<string>();
  for (let size = -1; size !== repeated.size; ) {
    size = repeated.size;
    graph.addUsers(repeated);
    reached = graph.reachedFrom([...repeated, ...wishes.mentioned]);
    for (const name of state) if (reached.has(name)) repeated.add(name);
  }
  return { repeated, dropped: droppedOf(module, graph, repeated, wishes), reached };
}

/** Variables that each variant needs for itself when it reaches them. */
function stateOf({ items, written }: Module, { shared, mentioned }: Wishes): string[] {
  if (shared === "all") return [];
  return items
    .filter(({ isState }) => isState)
    .flatMap(({ names }) => names)
    .filter((name) => (written.has(name) || mentioned.includes(name)) && !shared.includes(name));
}

/** Kernels that would have to be repeated but were not asked for, and what is repeated for them alone. */
function droppedOf(
  { items }: Module,
  graph: Graph,
  repeated: ReadonlySet<string>,
  { kernels, mentioned }: Wishes,
): Set<number> {
  const dropped = new Set<number>();
  if (kernels === undefined) return dropped;
  const kept = graph.reachedFrom([...kernels, ...mentioned]);
  items.forEach(({ names }, index) => {
    if (names.some((name) => repeated.has(name)) && !names.some((name) => kept.has(name))) dropped.add(index);
  });
  return dropped;
}

/** Which name uses which; both ways. */
class Graph {
  readonly #uses = new Map<string, Set<string>>();
  readonly #users = new Map<string, Set<string>>();

  constructor(items: readonly ModuleItem[]) {
    for (const { names, mentions } of items) {
      for (const name of names) {
        for (const { name: used } of mentions) {
          add(this.#uses, name, used);
          add(this.#users, used, name);
        }
      }
    }
  }

  /** Adds whatever uses one of the names, directly or through others. */
  addUsers(names: Set<string>): void {
    // A set can grow while it is walked, and is walked to its new end.
    for (const name of names) for (const user of this.#users.get(name) ?? []) names.add(user);
  }

  /** The names and whatever they use, directly or through others. */
  reachedFrom(names: readonly string[]): Set<string> {
    const reached = new Set(names);
    for (const name of reached) for (const used of this.#uses.get(name) ?? []) reached.add(used);
    return reached;
  }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, new Set([value]));
  else values.add(value);
}

function checkKernel({ items }: Module, name: string): void {
  const entries = items.filter(({ kind }) => kind === "entry").flatMap(({ names }) => names);
  if (entries.includes(name)) return;
  throw unknown("a kernel of the module", name, entries);
}

function checkVariable({ items }: Module, name: string): void {
  const variables = items.filter(({ kind }) => kind === "variable").flatMap(({ names }) => names);
  if (variables.includes(name)) return;
  throw unknown("a variable of the module", name, variables);
}

function unknown(what: string, name: string, known: readonly string[]): PtxInjectError {
  const listed = known.length === 0 ? "there is none" : known.slice(0, 8).map(quoted).join(", ");
  const more = known.length > 8 ? ` and ${known.length - 8} more` : "";
  const message = `expected ${what} (${listed}${more}), found ${quoted(name)}${didYouMean(name, known)}`;
  return new PtxInjectError("INVALID_ARGUMENT", message);
}
