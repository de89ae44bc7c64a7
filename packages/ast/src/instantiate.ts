// Instantiates WebAssembly from the digits that the build writes to src/wasm; each module is compiled once.
import { bytesOfHex, compilesWebAssembly } from "@mm-ptx/types/internal";

export interface Instantiated {
  readonly memory: WebAssembly.Memory;
  readonly exports: WebAssembly.Exports;
}

/** The modules by their digits; `null` for a module that is not allowed here. */
const modules = new Map<string, WebAssembly.Module | null>();

/**
 * Makes an instance of a module, with a memory of its own; returns `undefined` where WebAssembly is missing or not
 * allowed.
 * @param pages the initial size of the memory, in pages of 64 KiB
 */
export function instantiate(hex: string, pages: number): Instantiated | undefined {
  if (!compilesWebAssembly()) return undefined;
  try {
    let module = modules.get(hex);
    if (module === null) return undefined;
    if (module === undefined) {
      module = new WebAssembly.Module(bytesOfHex(hex));
      modules.set(hex, module);
    }
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    return { memory, exports };
  } catch (error) {
    // There is not enough address space for the memory now, but there may be later.
    if (error instanceof RangeError) return undefined;
    // An engine without vector instructions.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    modules.set(hex, null);
    return undefined;
  }
}
