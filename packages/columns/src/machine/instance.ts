// Instantiates WebAssembly from the digits that the build writes to src/wasm; each module is compiled once.
import { bytesOfHex, compilesWebAssembly, LITTLE_ENDIAN } from "@mm-ptx/types/internal";

/** The modules by their digits; `null` for a module that is not allowed here. */
const modules = new Map<string, WebAssembly.Module | null>();

/** Makes an instance of a module, or returns `undefined` where WebAssembly is missing or not allowed. */
export function instantiate(hex: string, imports: WebAssembly.Imports): WebAssembly.Exports | undefined {
  if (!LITTLE_ENDIAN || !compilesWebAssembly()) return undefined;
  try {
    let module = modules.get(hex);
    if (module === null) return undefined;
    if (module === undefined) {
      module = new WebAssembly.Module(bytesOfHex(hex));
      modules.set(hex, module);
    }
    return new WebAssembly.Instance(module, imports).exports;
  } catch (error) {
    // There is not enough address space for the memory now, but there may be later.
    if (error instanceof RangeError) return undefined;
    // An engine without vector instructions.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    modules.set(hex, null);
    return undefined;
  }
}
