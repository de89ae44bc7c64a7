// The procedure of each instruction that has one.
import type { Operation } from "../program/operation.js";
import { barrierObject, copyArrival } from "./barrier-object.js";
import { bulkCopy } from "./bulk-copy.js";
import type { Procedure } from "./procedure.js";
import { surfaceLoad, surfaceStore } from "./surface.js";
import { gather, query, texture } from "./texture.js";
import { vectorAtomic } from "./vector-atomic.js";

type Find = (operation: Operation) => Procedure | undefined;

const ofVector: Find = (operation) =>
  operation.modifiers.vec === undefined ? undefined : vectorAtomic(operation);

/** Cache policies have no effect, so any number stands for one. */
const policy: Find = () => () => [0n];

const BY_NAME: Readonly<Record<string, Find>> = {
  tex: texture,
  tld4: gather,
  txq: query("texture"),
  suld: surfaceLoad,
  sust: surfaceStore,
  suq: query("surface"),
  mbarrier: barrierObject,
  createpolicy: policy,
  atom: ofVector,
  red: ofVector,
  cp: (operation) => {
    if (operation.words.has("bulk")) return bulkCopy(operation);
    return operation.words.has("mbarrier") ? copyArrival(operation) : undefined;
  },
};

const known = new WeakMap<Operation, { readonly procedure: Procedure | undefined }>();

/** The procedure that carries out an instruction; undefined for instructions that have none. */
export function procedureOf(operation: Operation): Procedure | undefined {
  let found = known.get(operation);
  if (found === undefined) {
    found = { procedure: BY_NAME[operation.name]?.(operation) };
    known.set(operation, found);
  }
  return found.procedure;
}
