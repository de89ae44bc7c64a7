// The default location of the cache: the platform's folder for data that can be recreated.

import { hash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/** `MM_PTX_CACHE_DIR` if set, otherwise the folder `mm-ptx` in the user's cache folder on this platform. */
export function defaultCacheFolder(
  platform: string = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  if (environment.MM_PTX_CACHE_DIR) return environment.MM_PTX_CACHE_DIR;
  if (platform === "darwin") return join(home, "Library", "Caches", "mm-ptx");
  if (platform === "win32")
    return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "mm-ptx", "Cache");
  return join(environment.XDG_CACHE_HOME || join(home, ".cache"), "mm-ptx");
}

const TENANTS = "tenants";

/**
 * The folder for a tenant's results in the folder of the cache. It is not the tenant's name, which may contain anything,
 * and whose case file systems may not distinguish.
 */
export const tenantFolder = (folder: string, tenant: string | undefined): string =>
  tenant === undefined ? folder : join(folder, TENANTS, tenantDigest(tenant).slice(0, 32));

/** Differs for different texts. UTF-8 would have one replacement for all halves of surrogate pairs that stand alone. */
export const tenantDigest = (tenant: string): string => hash("sha256", Buffer.from(tenant, "utf16le"));

/** The folder of the cache that a tenant's folder is in; any other folder itself. */
export function cacheRoot(folder: string): string {
  const tenants = dirname(folder);
  return basename(tenants) === TENANTS ? dirname(tenants) : folder;
}

/** Whether `MM_PTX_CACHE_TRUST` says that a folder may be used to which others can write. */
export const isTrusted = (): boolean => process.env.MM_PTX_CACHE_TRUST === "1";
