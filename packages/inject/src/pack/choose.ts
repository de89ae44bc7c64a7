// Decides which declarations of a module are repeated for each variant and which are shared. The decision is
// a transitive closure: it starts at the functions with sites, and adds everything that uses them and the
// state that they change.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import type { Module, ModuleItem } from "./module.js";

/** The result of `choose`. */
interface Choice {
  /** The names that are repeated for each variant. */
  readonly repeated: ReadonlySet<string>;
  /** The indices of items that are in no variant: kernels that were not requested, and items that only they use. */
  readonly dropped: ReadonlySet<number>;
  /** Everything that a variant uses. */
  readonly reached: ReadonlySet<string>;
}

/** What the choice depends on, besides the module. */
export interface Wishes {
  /** The kernels to repeat; if `undefined`, all kernels that must be repeated. */
  readonly kernels: readonly string[] | undefined;
  /** Variables that all variants share although a thread may write them. */
  readonly shared: readonly string[] | "all";
  /** Names that stubs use, including registers of the kernel. */
  readonly mentioned: readonly string[];
}

/**
 * Decides by kind of declaration:
 *
 * - `.entry` and `.func` are repeated if they contain a site or use something that is repeated. The assembler
 *   puts a copy of a shared function into every kernel that calls it, so sharing changes no machine code.
 * - `.global` is repeated if a variant may reach it and a thread may write it, because a variant that is
 * compiled alone has its own, initialized copy. Variables are shared if they are only read, if C++ never writes them
 * (string literals, virtual tables), if another module defines them (`.extern`), or if the caller names them.
 * - `.const`, textures, surfaces and samplers are shared: no thread writes them, and the host fills them
 *   once.
 * - `.shared`, `.extern` or not, is shared. Each running block has its own copy, and a kernel only allocates
 *   what it uses.
 * - Variables that are initialized with the address of something repeated, and its `.alias`, are repeated.
 * - Declarations inside a function (registers, labels, parameters, its own variables) belong to the function.
 *
 * @param withSites the indices of the items that contain a site
 */
export function choose(module: Module, withSites: ReadonlySet<number>, wishes: Wishes): Choice {
  const graph = new Graph(module.items);
  const kernels = wishes.kernels ?? [];
  for (const name of kernels) checkKernel(module, name);
  if (wishes.shared !== "all") for (const name of wishes.shared) checkVariable(module, name);

  const state = stateOf(module, wishes);
  const own = [...withSites].flatMap((index) => module.items[index]!.names);
  const repeated = new Set([...own, ...kernels]);
  // Users of repeated names are repeated. So is the state that they reach, which can add further users.
  let reached = new Set<string>();
  for (let size = -1; size !== repeated.size; ) {
    size = repeated.size;
    graph.addUsers(repeated);
    reached = graph.reachedFrom([...repeated, ...wishes.mentioned]);
    for (const name of state) if (reached.has(name)) repeated.add(name);
  }
  return { repeated, dropped: droppedOf(module, graph, repeated, wishes), reached };
}

/** Variables that must be repeated if a variant reaches them. */
function stateOf({ items, written }: Module, { shared, mentioned }: Wishes): string[] {
  if (shared === "all") return [];
  return items
    .filter(({ isState }) => isState)
    .flatMap(({ names }) => names)
    .filter((name) => (written.has(name) || mentioned.includes(name)) && !shared.includes(name));
}

/** Kernels that would have to be repeated but were not requested, and items that are only repeated for them. */
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

/** The uses between names, in both directions. */
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

  /** Adds everything that uses one of the names, directly or indirectly. */
  addUsers(names: Set<string>): void {
    // Iterating over a set includes the entries that are added on the way.
    for (const name of names) for (const user of this.#users.get(name) ?? []) names.add(user);
  }

  /** The names, and everything that they use directly or indirectly. */
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
