// TypeScript's compiler as the CommonJS module that it is. An `import` takes three times as long, because Node first scans the
// module for the names that it exports.

import { createRequire } from "node:module";
import type ts from "typescript";

export const typescript: typeof ts = createRequire(import.meta.url)("typescript");
