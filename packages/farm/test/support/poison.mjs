// Loaded before a worker: ends its process when it is about to compile a text that contains "poison", as a text that makes the
// machine run out of memory would. Compiled texts are hashed for the key of the cache.

import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { hash } = crypto;
crypto.hash = (algorithm, data, ...rest) => {
  if (Buffer.from(data).includes("// poison")) process.kill(process.pid, "SIGKILL");
  return hash(algorithm, data, ...rest);
};
syncBuiltinESMExports();
