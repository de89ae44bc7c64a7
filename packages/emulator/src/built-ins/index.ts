// The built-in functions by name. `front/call.ts` has the same names.
import type { BuiltIn } from "./built-in.js";
import { DEVICE_RUNTIME } from "./device-runtime.js";
import { HEAP } from "./heap.js";
import { OUTPUT } from "./output.js";

export { type BuiltInHost, bitsOf, writeBits } from "./built-in.js";

export const BUILT_INS: ReadonlyMap<string, BuiltIn> = new Map(
  Object.entries({ ...OUTPUT, ...HEAP, ...DEVICE_RUNTIME }),
);
