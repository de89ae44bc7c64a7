// Instantiates WebAssembly from the base64 that the build writes to src/wasm; each module is compiled once.
import { compilesWebAssembly, LITTLE_ENDIAN } from "@mm-ptx/types/internal";

/** The modules by their base64; `null` for a module that is not allowed here. */
const modules = new Map<string, WebAssembly.Module | null>();

/** Makes an instance of a module, or returns `undefined` where WebAssembly is missing or not allowed. */
export function instantiate(base64: string, imports: WebAssembly.Imports): WebAssembly.Exports | undefined {
  if (!LITTLE_ENDIAN || !compilesWebAssembly()) return undefined;
  try {
    let module = modules.get(base64);
    if (module === null) return undefined;
    if (module === undefined) {
      module = new WebAssembly.Module(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
      modules.set(base64, module);
    }
    return new WebAssembly.Instance(module, imports).exports;
  } catch (error) {
    // There is not enough address space for the memory now, but there may be later.
    if (error instanceof RangeError) return undefined;
    // An engine without vector instructions.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    modules.set(base64, null);
    return undefined;
  }
}
