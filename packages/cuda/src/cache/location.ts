// Where cubins are kept when nobody says where: the place that the platform has for what can be made again.

import { homedir } from "node:os";
import { join } from "node:path";

/** `MM_PTX_CACHE_DIR` when set, else the folder `mm-ptx` of the user's cache folder on this platform. */
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
