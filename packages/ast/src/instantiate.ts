// Instantiates WebAssembly from the base64 that the build writes to src/wasm; each module is compiled once.
import { compilesWebAssembly } from "@mm-ptx/types/internal";

export interface Instantiated {
  readonly memory: WebAssembly.Memory;
  readonly exports: WebAssembly.Exports;
}

/** The modules by their base64; `null` for a module that is not allowed here. */
const modules = new Map<string, WebAssembly.Module | null>();

/**
 * Makes an instance of a module, with a memory of its own; returns `undefined` where WebAssembly is missing or not
 * allowed.
 * @param pages the initial size of the memory, in pages of 64 KiB
 */
export function instantiate(base64: string, pages: number): Instantiated | undefined {
  if (!compilesWebAssembly()) return undefined;
  try {
    let module = modules.get(base64);
    if (module === null) return undefined;
    if (module === undefined) {
      module = new WebAssembly.Module(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
      modules.set(base64, module);
    }
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    return { memory, exports };
  } catch (error) {
    // There is not enough address space for the memory now, but there may be later.
    if (error instanceof RangeError) return undefined;
    // An engine without vector instructions.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    modules.set(base64, null);
    return undefined;
  }
}
