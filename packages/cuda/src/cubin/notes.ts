// What a cubin says of its making: the architecture in the ELF header, and the notes of the tool that wrote it.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { Cursor } from "./bytes.js";
import type { ElfFile, ElfSection } from "./elf.js";

/** The program that made a cubin. */
export interface CubinTool {
  /** For example `ptxas`. */
  readonly name: string;
  /** In its own words, for example `Cuda compilation tools, release 13.0, V13.0.88`. */
  readonly version: string;
  readonly options: string;
}

/** What the names of code sections begin with. */
export const CODE = ".text.";
export const TOOL_NOTE = ".note.nv.tkinfo";
const INFO_NOTE = ".note.nv.cuinfo";
const COMPAT = ".nv.compat";
/** The layout of CUDA 12 and before, with the architecture's number in another place. */
const OLD_ABI = 7;
/** Flags of code that runs on one architecture only, in that layout and in the new one of CUDA 12. */
const OLD_ACCELERATORS = 0x800;
const ACCELERATORS = 0x8;
/** The first attribute of `.nv.compat`, where CUDA 13 has the same. */
const ACCELERATOR_TARGET = 9;
/** Note header: sizes of name and content, type, and the name `NVIDIA Corp`. */
const NOTE_HEADER = 24;

export const sectionNamed = (sections: readonly ElfSection[], name: string): ElfSection | undefined =>
  sections.find((section) => section.name === name);

/** For example `sm_90` or `sm_100a`. The header has the number only; the suffix is in what the tool's note quotes. */
export function readArch(elf: ElfFile, tool: CubinTool | undefined): string {
  const number = archNumber(elf);
  const base = ARCHITECTURES.find((each) => each.elfNumber === number)?.base ?? `sm_${number}`;
  const quoted = tool === undefined ? undefined : /\bsm_\w+/.exec(tool.options)?.[0];
  if (quoted?.replace(/[af]$/, "") === base) return quoted;
  return isSpecific(elf) && architecture(`${base}a`) !== undefined ? `${base}a` : base;
}

export function archNumber({ abi, flags }: ElfFile): number {
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
  // Version, then where the texts are behind the numbers: object, name, version, branch, options.
  const textAt = (field: number): string => new Cursor(content, NOTE_HEADER + content.u32(4 * field)).text();
  return { name: textAt(2), version: textAt(3), options: textAt(5).trim() };
}

/** The `.target` of the PTX, and the toolkit's version. */
export function readOrigin({ sections }: ElfFile): { ptxTarget?: string; toolkit?: string } {
  const note = sectionNamed(sections, INFO_NOTE)?.content;
  if (note === undefined) return {};
  const content = note.part(NOTE_HEADER, note.u32(4), INFO_NOTE);
  const toolkit = content.u16(4);
  return { ptxTarget: `sm_${content.u16(2)}`, toolkit: `${Math.floor(toolkit / 10)}.${toolkit % 10}` };
}
