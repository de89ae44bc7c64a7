// Whether WebAssembly may be compiled. A content security policy without 'wasm-unsafe-eval' reports every attempt as a
// violation, so one attempt answers for all packages.

/** The magic number and the version of a module without contents. */
const EMPTY = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

let compiles: boolean | undefined;

/** Whether this thread may compile WebAssembly; asks the engine once. */
export function compilesWebAssembly(): boolean {
  if (typeof WebAssembly !== "object") return false;
  compiles ??= tryToCompile();
  return compiles;
}

function tryToCompile(): boolean {
  try {
    new WebAssembly.Module(Uint8Array.from(EMPTY));
    return true;
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return false;
    throw error;
  }
}
