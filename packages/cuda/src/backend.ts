// The entry `@mm-ptx/cuda/backend`: what a backend elsewhere needs, for example one that sends jobs to other machines. It compiles
// for a `PtxCompiler` that is made with it: `new PtxCompiler(options, openBackend)`.
import { cachingBackend } from "./cache/backend.js";
import { TieredCache } from "./cache/tiers.js";
import type { Backend, OpenBackend } from "./ptx/backend.js";
import { type PtxCompilerOptions, resolveOptions } from "./ptx/options.js";
import { selectBackend } from "./ptx/select.js";

export { isCubinFor } from "./cubin/notes.js";
export type {
  Backend,
  BackendJob,
  BackendOutcome,
  BackendStats,
  Failure,
  OpenBackend,
  Origin,
  RefusalReason,
} from "./ptx/backend.js";
export { resolveOptions } from "./ptx/options.js";
export { RECIPE, type Recipe } from "./ptx/recipe.js";
export type { FilledTemplate, MadeSource, Source, WrittenSource } from "./ptx/source.js";
export { isMade, renderSource, writtenSource } from "./ptx/source.js";
export { givenOptions } from "./ptx/target.js";

/** Makes the backend of this machine that the options select, without a cache. @throws PtxCompileError `UNAVAILABLE` */
export const localBackend: OpenBackend = selectBackend;

/**
 * A backend of this machine with the cache that the options describe, as a `PtxCompiler` uses it.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT`, `UNAVAILABLE`
 */
export function cachedBackend(options: PtxCompilerOptions): Backend {
  const resolved = resolveOptions(options);
  const inner = selectBackend(resolved);
  if (resolved.cache === false) return inner;
  const counts = { fromCache: 0, duplicates: 0 };
  return cachingBackend(inner, TieredCache.open(resolved.cache), counts, resolved.tenant);
}
