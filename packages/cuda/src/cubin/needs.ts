// The requirements of functions: `.nv.info` attributes by symbol, `.nv.info.NAME` attributes by section, and the sizes
// of the memory sections that belong to a function's code.

import type { KernelParameter } from "@mm-ptx/types/core";
import {
  type Attribute,
  CTA_PER_CLUSTER,
  FRAME_SIZE,
  KPARAM_INFO,
  KPARAM_INFO_V2,
  MAX_CLUSTER_RANK,
  MAX_THREADS,
  MIN_STACK_SIZE,
  NUM_BARRIERS,
  PARAM_CBANK,
  REGCOUNT,
  REQNTID,
  readAttributes,
} from "./attributes.js";
import { type ElfFile, ET_REL } from "./elf.js";
import { CODE, sectionNamed } from "./notes.js";

/** Threads of a block, or blocks of a cluster. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** The requirements of a kernel. */
export interface KernelNeeds {
  /** Registers per thread. */
  readonly registers: number;
  /** Bytes per thread: the function's own stack frame. */
  readonly stackFrame: number;
  /** Bytes of local memory per thread: the stack including callees; absent for unbounded recursion. */
  readonly localBytes?: number;
  /** Static shared memory per block in bytes, without the part that the system reserves. */
  readonly sharedBytes: number;
  /** Bytes of constant bank 0, which holds the system's values and the parameters. */
  readonly constantBytes: number;
  /** Named barriers per block. */
  readonly barriers: number;
  /** In order; a cubin holds neither names nor types of parameters. */
  readonly parameters: readonly KernelParameter[];
  /** Their start in constant bank 0, and their total size in bytes. */
  readonly parameterOffset: number;
  readonly parameterBytes: number;
  /** The maximum threads per block (`.maxntid`). */
  readonly maxThreads?: Dimensions;
  /** The required threads per block (`.reqntid`). */
  readonly requiredThreads?: Dimensions;
  /** Blocks per cluster (`.reqnctapercluster`); zeros if the launch specifies it. */
  readonly clusterSize?: Dimensions;
  /** The value of `.maxclusterrank`. */
  readonly maxClusterRank?: number;
}

const INFO = ".nv.info";
const SHARED = ".nv.shared.";
const CONSTANT_0 = ".nv.constant0.";
const LOCAL = ".nv.local.";
const RESERVED_SECTION = ".nv.shared.reserved.";
/**
 * If an executable file has this symbol, the shared memory of its kernels begins with one KiB that the system reserves.
 */
const RESERVED = ".nv.reservedSmem.offset0";
const RESERVED_BYTES = 1024;
/** CUDA 12 stores the number of barriers in the flags of the code section. */
const BARRIERS_SHIFT = 20;
const BARRIERS_MASK = 0x7f;

/** Values of the file-wide attributes, by symbol. */
interface SymbolNeeds {
  registers?: number;
  stackFrame?: number;
  minStack?: number;
}

const SYMBOL_FIELDS: ReadonlyMap<number, keyof SymbolNeeds> = new Map([
  [REGCOUNT, "registers"],
  [FRAME_SIZE, "stackFrame"],
  [MIN_STACK_SIZE, "minStack"],
]);

/** The stack size of a kernel with recursion. */
const UNBOUNDED = 0xffffffff;

type SectionNeeds = Omit<KernelNeeds, "localBytes" | "registers" | "stackFrame"> & {
  readonly localSection: number;
};

/** The values of all attributes of a file. */
export interface Needs {
  readonly ofKernel: (symbol: number, section: number) => KernelNeeds;
  /**
   * The requirements of a device function, if there are any; a function within a kernel's code may be counted with the
   * kernel.
   */
  readonly ofFunction: (symbol: number) => Partial<Pick<KernelNeeds, "registers" | "stackFrame">>;
}

/**
 * Reads all attributes of a file. Functions are identified by the number of their symbol.
 *
 * @throws CubinError `INVALID_CUBIN`
 */
export function readNeeds(elf: ElfFile): Needs {
  const bySymbol = symbolNeeds(elf);
  const bySection = sectionNeeds(elf);
  return {
    ofKernel(symbol, section) {
      const { registers = 0, stackFrame = 0, minStack = 0 } = bySymbol.get(symbol) ?? {};
      const { localSection, ...needs } = bySection.get(section) ?? NOTHING;
      const localBytes = Math.max(stackFrame, minStack) + localSection;
      return { registers, stackFrame, ...(minStack === UNBOUNDED ? {} : { localBytes }), ...needs };
    },
    ofFunction(symbol) {
      const { minStack: _, ...needs } = bySymbol.get(symbol) ?? {};
      return needs;
    },
  };
}

const NOTHING: SectionNeeds = {
  sharedBytes: 0,
  constantBytes: 0,
  barriers: 0,
  parameters: [],
  parameterOffset: 0,
  parameterBytes: 0,
  localSection: 0,
};

function symbolNeeds({ sections }: ElfFile): Map<number, SymbolNeeds> {
  const found = new Map<number, SymbolNeeds>();
  const info = sectionNamed(sections, INFO);
  for (const { number, content } of info === undefined ? [] : readAttributes(info.content)) {
    const field = SYMBOL_FIELDS.get(number);
    if (field === undefined) continue;
    const symbol = content.u32(0);
    let needs = found.get(symbol);
    if (needs === undefined) {
      needs = {};
      found.set(symbol, needs);
    }
    needs[field] = content.u32(4);
  }
  return found;
}

type Draft = { -readonly [Key in keyof SectionNeeds]: SectionNeeds[Key] };

/** By the index of the code section, which related sections refer to with `sh_info`. */
function sectionNeeds({ sections, symbols, type }: ElfFile): Map<number, SectionNeeds> {
  const found = new Map<number, Draft>();
  const draft = (code: number): Draft => {
    let needs = found.get(code);
    if (needs === undefined) {
      needs = { ...NOTHING };
      found.set(code, needs);
    }
    return needs;
  };
  const isReserved = type !== ET_REL && symbols.some(({ name }) => name === RESERVED);
  const reserved = isReserved ? RESERVED_BYTES : 0;
  for (const { index, name, info, size, flags, content } of sections) {
    if (name.startsWith(CODE)) draft(index).barriers ||= (flags >>> BARRIERS_SHIFT) & BARRIERS_MASK;
    else if (name.startsWith(`${INFO}.`)) readSection(readAttributes(content), draft(info));
    else if (name.startsWith(SHARED)) {
      if (!name.startsWith(RESERVED_SECTION)) draft(info).sharedBytes = Math.max(0, size - reserved);
    } else if (name.startsWith(CONSTANT_0)) draft(info).constantBytes = size;
    else if (name.startsWith(LOCAL)) draft(info).localSection = size;
  }
  return found;
}

function readSection(attributes: readonly Attribute[], needs: Draft): void {
  const parameters: (readonly [ordinal: number, KernelParameter])[] = [];
  for (const { number, value, content } of attributes) {
    const dimensions = (): Dimensions => [content.u32(0), content.u32(4), content.u32(8)];
    switch (number) {
      case PARAM_CBANK:
        needs.parameterOffset = content.u16(4);
        needs.parameterBytes = content.u16(6);
        break;
      case KPARAM_INFO:
        // Alignment, space and bank; the size starts at bit 18.
        parameters.push([content.u16(4), { offset: content.u16(6), bytes: content.u32(8) >>> 18 }]);
        break;
      case KPARAM_INFO_V2:
        parameters.push([content.u16(4), { offset: content.u16(6), bytes: content.u16(8) }]);
        break;
      case MAX_THREADS:
        needs.maxThreads = dimensions();
        break;
      case REQNTID:
        needs.requiredThreads = dimensions();
        break;
      case CTA_PER_CLUSTER:
        needs.clusterSize = dimensions();
        break;
      case MAX_CLUSTER_RANK:
        needs.maxClusterRank = content.u32(0);
        break;
      case NUM_BARRIERS:
        needs.barriers = value;
        break;
    }
  }
  needs.parameters = parameters.sort(([a], [b]) => a - b).map(([, parameter]) => parameter);
}
