// Modules in WebAssembly that the build writes as text, and whether they may be compiled. A content security policy without 'wasm-unsafe-eval' reports every attempt as a
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

/** The value of a lower-case hexadecimal digit, given its character code. */
const digitOf = (code: number): number => (code < 58 ? code - 48 : code - 87);

/**
 * The bytes of a module that the build wrote as hexadecimal digits. Unlike base64, these keep the bytes of equal
 * instructions equal, so that the text takes a quarter less after compression.
 */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (digitOf(hex.charCodeAt(2 * i)) << 4) | digitOf(hex.charCodeAt(2 * i + 1));
  }
  return bytes;
}
