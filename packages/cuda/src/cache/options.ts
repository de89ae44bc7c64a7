// The options of the cache, which the compilers for PTX and for CUDA share.

import { type Checks, isBoolean, isWhole, optionProblem, unexpected } from "@mm-ptx/types/internal";
import { defaultCacheFolder, isTrusted, tenantFolder } from "./location.js";

/** The location and size of the cache. */
export interface CacheOptions {
  /** Default: `MM_PTX_CACHE_DIR`, otherwise the folder `mm-ptx` in the user's cache folder. */
  readonly folder?: string;
  /**
   * The maximum size on disk in bytes; the least recently used entries are evicted. Default: 1 GiB; 0 disables the disk
   * cache. A result that is larger than 32 MiB is not cached.
   */
  readonly maxBytes?: number;
  /** The maximum size in this process's memory in bytes. Default: 64 MiB. */
  readonly memoryBytes?: number;
  /**
   * Uses the folder even if it belongs to another user or others can write to it; otherwise, results are then only
   * cached in memory, with a warning. Whoever can write to the cache determines the code that runs on the GPU. Default:
   * whether `MM_PTX_CACHE_TRUST` is 1.
   */
  readonly trustFolder?: boolean;
}

/** The options with all defaults; `false` for no cache. */
export type ResolvedCache = false | Required<CacheOptions>;

const GIB = 2 ** 30;

const CACHE_CHECKS: Checks = {
  folder: isFolder,
  maxBytes: isWhole(0, Number.MAX_SAFE_INTEGER),
  memoryBytes: isWhole(0, Number.MAX_SAFE_INTEGER),
  trustFolder: isBoolean,
};

export function isCache(value: unknown, name: string): string | undefined {
  if (typeof value === "boolean") return undefined;
  if (typeof value !== "object" || value === null) return unexpected(name, "a boolean or an object", value);
  return optionProblem(value, CACHE_CHECKS, { prefix: `${name}.` });
}

export function isFolder(value: unknown, name: string): string | undefined {
  return typeof value === "string" && value !== "" && !value.includes("\0")
    ? undefined
    : unexpected(name, "the path of a folder", value);
}

/** @param tenant whose cache it is; a tenant's is in a folder of its own in the folder that the options name */
export function resolveCache(cache: boolean | CacheOptions, tenant?: string): ResolvedCache {
  if (cache === false) return false;
  const { folder, maxBytes, memoryBytes, trustFolder } = cache === true ? {} : cache;
  return Object.freeze({
    folder: tenantFolder(folder ?? defaultCacheFolder(), tenant),
    maxBytes: maxBytes ?? GIB,
    memoryBytes: memoryBytes ?? 64 * 2 ** 20,
    trustFolder: trustFolder ?? isTrusted(),
  });
}
