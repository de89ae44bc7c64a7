// Where fetched compilers are kept: in the user's cache folder, which may be deleted at any time.

import { join } from "node:path";
import { defaultCacheFolder } from "../cache/location.js";
import { wheelFor } from "./wheel.js";

/** The folder of a fetched nvJitLink, which has the layout of a toolkit; undefined if none fits this machine. */
export function fetchedFolder(): string | undefined {
  const wheel = wheelFor(`${process.platform}-${process.arch}`);
  return wheel && join(defaultCacheFolder(), "compilers", `${wheel.project}-${wheel.version}`);
}
