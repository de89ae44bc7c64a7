// A machine without CUDA toolkits in their usual location, for processes that a test starts.

/** An option of Node; the processes have no other toolkit if CUDA_HOME and CUDA_PATH are empty and PATH has none. */
export const NO_TOOLKITS = `--import=data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { readdirSync } = fs;
  fs.readdirSync = (...words) => (words[0] === "/usr/local" ? [] : readdirSync(...words));
  syncBuiltinESMExports();
`)}`;
