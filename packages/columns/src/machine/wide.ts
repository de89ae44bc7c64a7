// The kernels of the module `wide`, in the table and the memory of the module `core`. It is loaded when the first operation needs it.
import { MODULE } from "../wasm/wide.js";
import { addKernel, type Kernel } from "./core-kernels.js";
import type { Define } from "./core-operations.js";
import { doubleDefinition } from "./double-operations.js";
import { halfDefinition } from "./half-operations.js";
import { instantiate } from "./instance.js";
import { isInstruction } from "./instructions.js";
import { longDefinition } from "./long-operations.js";
import { wideConversion } from "./wide-conversions.js";
import type { WideKernels } from "./wide-recipe.js";

type WideExports = Readonly<Record<keyof WideKernels, Kernel>>;

/** Adds the kernels to the table; the result finds definitions of operations, or is `undefined` where there is no room. */
export function wideDefinitions(memory: WebAssembly.Memory, table: WebAssembly.Table): Define | undefined {
  const exports = instantiate(MODULE, { env: { memory } }) as unknown as WideExports | undefined;
  if (exports === undefined) return undefined;
  return defineWith({
    longs: addKernel(table, exports.longs),
    longTests: addKernel(table, exports.longTests),
    widenings: addKernel(table, exports.widenings),
    doubles: addKernel(table, exports.doubles),
    halves: addKernel(table, exports.halves),
  });
}

/** Finds the definitions of operations with these kernels. */
export const defineWith =
  (kernels: WideKernels): Define =>
  (parts, key, operands, text) => {
    if (!isInstruction(parts.name, text.slice(text.indexOf(".")))) return undefined;
    if (parts.name === "cvt") return wideConversion(kernels, parts);
    return (
      doubleDefinition(kernels, parts) ??
      halfDefinition(kernels, parts) ??
      longDefinition(kernels, parts, key, operands)
    );
  };
