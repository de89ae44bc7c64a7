// The contents of a cubin: kernels with their requirements, device functions, variables, line tables, and the tool that
// wrote it.

import { quoted } from "@mm-ptx/types/internal";
import { type Bytes, latin1 } from "./bytes.js";
import {
  type ElfFile,
  type ElfSection,
  type ElfSymbol,
  ET_REL,
  readElf,
  STB_LOCAL,
  STT_CUDA_OBJECT,
  STT_FUNC,
  STT_OBJECT,
} from "./elf.js";
import { type CodeLine, readLines } from "./lines.js";
import { type KernelNeeds, readNeeds } from "./needs.js";
import { CODE, type CubinTool, readArch, readOrigin, readTool } from "./notes.js";

/** A function of a cubin. */
export interface CubinFunction {
  readonly name: string;
  /** Whether the symbol is visible to other modules. */
  readonly visible: boolean;
  /** The machine code: a view of the cubin. */
  readonly code: Uint8Array;
  /** The code's offset in the file. */
  readonly offset: number;
  /** The section of the code, for example `.text.scale`; a kernel's section also contains its device functions. */
  readonly section: string;
  /** The code's offset in its section. */
  readonly sectionOffset: number;
  /** Registers per thread; absent if they are counted with the surrounding kernel. */
  readonly registers?: number;
  /** Bytes per thread. */
  readonly stackFrame?: number;
  /** Source lines of the whole section, if the PTX had `.loc` directives. */
  readonly lines: readonly CodeLine[];
  /** PTX lines of the whole section, if the PTX had `.loc` directives or was compiled with `lineInfo` or `debug`. */
  readonly ptxLines: readonly CodeLine[];
}

/** A kernel of a cubin. */
export interface CubinKernel extends CubinFunction, KernelNeeds {
  readonly registers: number;
  readonly stackFrame: number;
}

/** A variable of a module. */
export interface CubinVariable {
  readonly name: string;
  /** The driver binds textures, samplers and surfaces; they are references without bytes. */
  readonly space: "global" | "constant" | "shared" | "local" | "texture" | "sampler" | "surface";
  readonly bytes: number;
  readonly visible: boolean;
  /** The initial value: a view of the cubin; absent for zeros and for memory without an initial value. */
  readonly initial?: Uint8Array;
}

/** An entry of a cubin's symbol table. */
export interface CubinSymbol {
  readonly name: string;
  /** The symbol's section, if it has one. */
  readonly section?: string;
  /** The offset in its section. */
  readonly offset: number;
  readonly bytes: number;
}

/** A section of a cubin. */
export interface CubinSection {
  readonly name: string;
  /** A view of the cubin; empty for sections without content in the file. */
  readonly bytes: Uint8Array;
  /** Offset in the file. */
  readonly offset: number;
  /** Size in memory. */
  readonly size: number;
}

/** The result of `inspectCubin`. */
export interface CubinInspection {
  /** For example, `sm_90` or `sm_100a`. */
  readonly arch: string;
  /** The version of the file layout: 8 from CUDA 13 on, 7 before. */
  readonly abi: number;
  /** Whether it must be linked before it can run. */
  readonly relocatable: boolean;
  /** The `.target` of the PTX without its suffix, for example `sm_75`. */
  readonly ptxTarget?: string;
  /** The CUDA version that produced it, for example `13.0`. */
  readonly toolkit?: string;
  readonly tool?: CubinTool;
  /** In the order of their code, which usually differs from the source order. */
  readonly kernels: readonly CubinKernel[];
  /** Device functions that were compiled to separate code. */
  readonly functions: readonly CubinFunction[];
  readonly variables: readonly CubinVariable[];
  /** Named symbols, in file order. */
  readonly symbols: readonly CubinSymbol[];
  /** In file order, without the empty first section. */
  readonly sections: readonly CubinSection[];
  /** The PTX without its comments, if there are `ptxLines`. */
  readonly ptx?: string;
}

/** Marks a kernel among the functions of a symbol table. */
const STO_CUDA_ENTRY = 0x10;
const PTX_TEXT = ".nv_debug_ptx_txt";

const SPACES: readonly (readonly [prefix: string, space: CubinVariable["space"]])[] = [
  [".nv.global", "global"],
  [".nv.constant", "constant"],
  [".nv.shared", "shared"],
  [".nv_debug.shared", "shared"],
  [".nv.local", "local"],
];

/** The memory space by the type of a symbol without a section. */
const REFERENCES: ReadonlyMap<number, CubinVariable["space"]> = new Map([
  [10, "texture"],
  [11, "sampler"],
  [12, "surface"],
]);

/**
 * Reads the contents of a cubin for any architecture, from any supported toolkit, in time and memory proportional to
 * its size.
 *
 * @throws CubinError `INVALID_CUBIN`
 */
export function inspectCubin(bytes: Uint8Array): CubinInspection {
  const elf = readElf(bytes);
  const tool = readTool(elf);
  const ptx = embeddedPtx(elf);
  return {
    arch: readArch(elf, tool),
    abi: elf.abi,
    relocatable: elf.type === ET_REL,
    ...readOrigin(elf),
    ...(tool === undefined ? {} : { tool }),
    ...readFunctions(elf),
    variables: readVariables(elf),
    symbols: elf.symbols.filter(({ name }) => name !== "").map((symbol) => describeSymbol(elf, symbol)),
    sections: sectionsOf(elf),
    ...(ptx === undefined ? {} : { ptx }),
  };
}

/** The sections of a file, in the form that callers get. */
export function sectionsOf({ sections }: ElfFile): CubinSection[] {
  return sections
    .slice(1)
    .map(({ name, content, offset, size }) => ({ name, bytes: content.array, offset, size }));
}

const isKernel = ({ other }: ElfSymbol): boolean => (other & STO_CUDA_ENTRY) !== 0;

/** The symbols of kernels with code, in table order. */
export function kernelSymbols(elf: ElfFile): ElfSymbol[] {
  return elf.symbols.filter((symbol) => isKernel(symbol) && isCode(elf, symbol));
}

const isCode = ({ sections }: ElfFile, { type, section }: ElfSymbol): boolean =>
  type === STT_FUNC && sections[section]?.name.startsWith(CODE) === true;

function readFunctions(elf: ElfFile): Pick<CubinInspection, "functions" | "kernels"> {
  const needs = readNeeds(elf);
  const lines = readLines(elf, ".debug_line");
  const ptxLines = readLines(elf, ".nv_debug_line_sass");
  const codes = elf.symbols
    .map((symbol, index) => ({ symbol, index }))
    .filter(({ symbol }) => isCode(elf, symbol))
    .sort((a, b) => a.symbol.section - b.symbol.section || a.symbol.value - b.symbol.value);
  const describe = (symbol: ElfSymbol): CubinFunction => {
    const section = elf.sections[symbol.section]!;
    const code = contentOf(symbol, section, "the code of ");
    return {
      name: symbol.name,
      visible: symbol.binding !== STB_LOCAL,
      code: code.array,
      offset: code.start,
      section: section.name,
      sectionOffset: symbol.value,
      lines: lines.get(section.index) ?? [],
      ptxLines: ptxLines.get(section.index) ?? [],
    };
  };
  const kernels = codes.filter(({ symbol }) => isKernel(symbol));
  const functions = codes.filter(({ symbol }) => !isKernel(symbol));
  return {
    kernels: kernels.map(({ symbol, index }) => ({
      ...describe(symbol),
      ...needs.ofKernel(index, symbol.section),
    })),
    functions: functions.map(({ symbol, index }) => ({ ...describe(symbol), ...needs.ofFunction(index) })),
  };
}

function readVariables(elf: ElfFile): CubinVariable[] {
  return elf.symbols.flatMap((symbol) => {
    const { name, type, binding, section: index, size } = symbol;
    const visible = binding !== STB_LOCAL;
    const reference = REFERENCES.get(type);
    if (reference !== undefined) return [{ name, space: reference, bytes: size, visible }];
    const section = elf.sections[index];
    if ((type !== STT_OBJECT && type !== STT_CUDA_OBJECT) || section === undefined) return [];
    const space = SPACES.find(([prefix]) => section.name.startsWith(prefix))?.[1];
    if (space === undefined) return [];
    const initial = section.content.length === 0 ? undefined : contentOf(symbol, section).array;
    const found = { name, space, bytes: size, visible };
    return [initial === undefined ? found : { ...found, initial }];
  });
}

/** The bytes of a symbol in its section; those of functions and variables may overlap. */
function contentOf({ name, value, size }: ElfSymbol, { content }: ElfSection, prefix = ""): Bytes {
  const what = `${prefix}${quoted(name)}`;
  const part = content.part(value, size, what);
  part.account(size, what, 0);
  return part;
}

function describeSymbol({ sections }: ElfFile, { name, section, value, size }: ElfSymbol): CubinSymbol {
  const within = sections[section]?.name;
  const place = within === undefined || within === "" ? {} : { section: within };
  return { name, ...place, offset: value, bytes: size };
}

/** Each line ends with a NUL. */
function embeddedPtx({ sections }: ElfFile): string | undefined {
  const section = sections.find(({ name }) => name.startsWith(PTX_TEXT));
  return section === undefined ? undefined : latin1(section.content.array).replaceAll("\0", "\n");
}
