// Builds the playground into static files, which work from any folder of any server.

import { fileURLToPath } from "node:url";
import { build } from "vite";

/** @returns {Promise<void>} */
export async function buildPlayground() {
  await build({ configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)), logLevel: "warn" });
}
