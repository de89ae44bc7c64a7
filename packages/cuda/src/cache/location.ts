// The default location of the cache: the platform's folder for data that can be recreated.

import { homedir } from "node:os";
import { join } from "node:path";

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

/** Whether `MM_PTX_CACHE_TRUST` says that a folder may be used to which others can write. */
export const isTrusted = (): boolean => process.env.MM_PTX_CACHE_TRUST === "1";
