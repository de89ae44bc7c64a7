// The origin of a cubin: the architecture in the ELF header, and the notes of the tool that wrote it.

import { architecture, architectureName, ptxTarget } from "@mm-ptx/ptx";
import { Cursor } from "./bytes.js";
import { type ElfFile, type ElfHeader, type ElfSection, readElfHeader } from "./elf.js";

/** The program that wrote a cubin. */
export interface CubinTool {
  /** For example, `ptxas`. */
  readonly name: string;
  /** As the tool reports it, for example `Cuda compilation tools, release 13.0, V13.0.88`. */
  readonly version: string;
  readonly options: string;
}

/** The prefix of the names of code sections. */
export const CODE = ".text.";
export const TOOL_NOTE = ".note.nv.tkinfo";
const INFO_NOTE = ".note.nv.cuinfo";
const COMPAT = ".nv.compat";
/** The layout up to CUDA 12, which stores the architecture's number elsewhere. */
const OLD_ABI = 7;
/** Flags of code that runs on a single architecture only, in that layout and in the new one of CUDA 12. */
const OLD_ACCELERATORS = 0x800;
const ACCELERATORS = 0x8;
/** The first attribute of `.nv.compat`, where CUDA 13 stores that flag. */
const ACCELERATOR_TARGET = 9;
/** The note header: sizes of name and content, type, and the name `NVIDIA Corp`. */
const NOTE_HEADER = 24;

export const sectionNamed = (sections: readonly ElfSection[], name: string): ElfSection | undefined =>
  sections.find((section) => section.name === name);

/** For example, `sm_90` or `sm_100a`. The header holds only the number; the suffix comes from the tool's note. */
export function readArch(elf: ElfFile, tool: CubinTool | undefined): string {
  const base = architectureName(archNumber(elf));
  const quoted = tool === undefined ? undefined : /\bsm_\w+/.exec(tool.options)?.[0];
  if (quoted !== undefined && ptxTarget(quoted)?.base === base) return quoted;
  return isSpecific(elf) && architecture(`${base}a`) !== undefined ? `${base}a` : base;
}

/**
 * Whether the header of a cubin names an architecture, or its base if code for it runs on nothing else. Nothing but the header is read.
 *
 * @throws CubinError `INVALID_CUBIN`
 */
export const isCubinFor = (cubin: Uint8Array, arch: string): boolean =>
  architectureName(archNumber(readElfHeader(cubin))) === ptxTarget(arch)?.base;

export function archNumber({ abi, flags }: ElfHeader): number {
  return (abi <= OLD_ABI ? flags : flags >>> 8) & 0xff;
}

function isSpecific({ abi, flags, sections }: ElfFile): boolean {
  if ((flags & (abi <= OLD_ABI ? OLD_ACCELERATORS : ACCELERATORS)) !== 0) return true;
  const compat = sectionNamed(sections, COMPAT)?.content;
  return (
    compat !== undefined && compat.length >= 4 && compat.u8(1) === ACCELERATOR_TARGET && compat.u8(2) === 1
  );
}

/** @throws CubinError `INVALID_CUBIN` */
export function readTool({ sections }: ElfFile): CubinTool | undefined {
  const note = sectionNamed(sections, TOOL_NOTE)?.content;
  if (note === undefined) return undefined;
  const content = note.part(NOTE_HEADER, note.u32(4), TOOL_NOTE);
  // The version, then the offsets of the strings after the numbers: object, name, version, branch, options.
  const textAt = (field: number): string => new Cursor(content, NOTE_HEADER + content.u32(4 * field)).text();
  return { name: textAt(2), version: textAt(3), options: textAt(5).trim() };
}

/** The `.target` of the PTX, and the toolkit's version. */
export function readOrigin({ sections }: ElfFile): { ptxTarget?: string; toolkit?: string } {
  const note = sectionNamed(sections, INFO_NOTE)?.content;
  if (note === undefined) return {};
  const content = note.part(NOTE_HEADER, note.u32(4), INFO_NOTE);
  const toolkit = content.u16(4);
  return {
    ptxTarget: architectureName(content.u16(2)),
    toolkit: `${Math.floor(toolkit / 10)}.${toolkit % 10}`,
  };
}
