// Recognizes files by their contents: PTX, a filled kernel, CUDA C++, a program, or a fatbin.

/** The kinds of files that the command takes. */
export type ContentKind = "ptx" | "filled kernel" | "cuda" | "elf" | "fatbin";

const ELF = [0x7f, 0x45, 0x4c, 0x46];
/** The magic number of a fatbin (`fatbinary_section.h` of the toolkit), little-endian. */
const FATBIN = [0x50, 0xed, 0x55, 0xba];

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte);

/** Constructs of CUDA C++ that never occur in PTX, whose directives begin with a dot. */
const CUDA = /__global__|__device__|^\s*#\s*(include|define|pragma|if)|\b(int|void|auto)\s+\w+\s*\(/m;

/** Text without comments; strings do not matter here. */
const withoutComments = (text: string): string => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, " ");

export function contentKind(bytes: Uint8Array): ContentKind {
  if (startsWith(bytes, ELF)) return "elf";
  if (startsWith(bytes, FATBIN)) return "fatbin";
  const text = withoutComments(new TextDecoder().decode(bytes));
  if (/^\s*\{/.test(text)) return "filled kernel";
  if (/^\s*\.version\b/m.test(text)) return "ptx";
  return CUDA.test(text) ? "cuda" : "ptx";
}

/** Whether CUDA C++ defines `main`. */
export const hasMain = (source: string): boolean =>
  /\bmain\s*\([^;{]*\)\s*(\{|$)/m.test(withoutComments(source));
