// What functions need of a GPU: the attributes of `.nv.info` by symbol, those of `.nv.info.NAME` by section, and the sizes of the
// memory sections that belong to a function's code.

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

/** A parameter of a kernel. */
export interface CubinParameter {
  /** In bytes, from the beginning of the parameters. */
  readonly offset: number;
  readonly bytes: number;
}

/** Threads of a block, or blocks of a cluster. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** What a kernel needs. */
export interface KernelNeeds {
  /** For each thread. */
  readonly registers: number;
  /** Bytes for each thread: its own frame on the stack. */
  readonly stackFrame: number;
  /** Bytes of local memory for each thread: the stack with the frames of what it calls; absent where recursion has no bound. */
  readonly localBytes?: number;
  /** Static shared memory of a block, in bytes, without what the system keeps for itself. */
  readonly sharedBytes: number;
  /** Bytes of constant bank 0, where the system's values and the parameters are. */
  readonly constantBytes: number;
  /** Named barriers of a block. */
  readonly barriers: number;
  /** In order. */
  readonly parameters: readonly CubinParameter[];
  /** Where they begin in constant bank 0, and their bytes together. */
  readonly parameterOffset: number;
  readonly parameterBytes: number;
  /** The most threads of a block, as `.maxntid` says. */
  readonly maxThreads?: Dimensions;
  /** The threads of a block, as `.reqntid` says. */
  readonly requiredThreads?: Dimensions;
  /** The blocks of a cluster, as `.reqnctapercluster` says; zeros where the launch says it. */
  readonly clusterSize?: Dimensions;
  /** As `.maxclusterrank` says. */
  readonly maxClusterRank?: number;
}

const INFO = ".nv.info";
const SHARED = ".nv.shared.";
const CONSTANT_0 = ".nv.constant0.";
const LOCAL = ".nv.local.";
const RESERVED_SECTION = ".nv.shared.reserved.";
/** Where this symbol is in a file that can run, shared memory that a kernel has begins with a KiB of the system's. */
const RESERVED = ".nv.reservedSmem.offset0";
const RESERVED_BYTES = 1024;
/** CUDA 12 has the number of barriers in the flags of the code's section. */
const BARRIERS_SHIFT = 20;
const BARRIERS_MASK = 0x7f;

/** By symbol, what the file-wide attributes say. */
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

/** The stack of a kernel that may call itself. */
const UNBOUNDED = 0xffffffff;

type SectionNeeds = Omit<KernelNeeds, "localBytes" | "registers" | "stackFrame"> & {
  readonly localSection: number;
};

/** What the attributes of a file say. */
export interface Needs {
  readonly ofKernel: (symbol: number, section: number) => KernelNeeds;
  /** Of a device function, where there is something: one inside of a kernel's code may be counted with that. */
  readonly ofFunction: (symbol: number) => Partial<Pick<KernelNeeds, "registers" | "stackFrame">>;
}

/**
 * Reads all attributes of a file. Functions are asked for by the number of their symbol.
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

/** By the index of the code section, which `sh_info` of what belongs to it names. */
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
  const parameters: (readonly [ordinal: number, CubinParameter])[] = [];
  for (const { number, value, content } of attributes) {
    const dimensions = (): Dimensions => [content.u32(0), content.u32(4), content.u32(8)];
    switch (number) {
      case PARAM_CBANK:
        needs.parameterOffset = content.u16(4);
        needs.parameterBytes = content.u16(6);
        break;
      case KPARAM_INFO:
        // Alignment, space and bank, and from bit 18 on the size.
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
