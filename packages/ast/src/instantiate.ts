// WebAssembly from the base64 that the build puts into src/wasm, each module compiled once.

export interface Instantiated {
  readonly memory: WebAssembly.Memory;
  readonly exports: WebAssembly.Exports;
}

/** The modules by their base64; `null` for one that is not allowed here. */
const modules = new Map<string, WebAssembly.Module | null>();

/**
 * An instance of a module, with a memory of its own; `undefined` where WebAssembly is missing or forbidden.
 * @param pages what the memory has at first, in pages of 64 KiB
 */
export function instantiate(base64: string, pages: number): Instantiated | undefined {
  if (typeof WebAssembly !== "object") return undefined;
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
    // No memory to reserve: it may be there another time.
    if (error instanceof RangeError) return undefined;
    // A content security policy without 'wasm-unsafe-eval', or an engine without vectors.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    modules.set(base64, null);
    return undefined;
  }
}
