// A cubin as an ELF file: header, sections, symbols and relocations. Other files interpret what they mean in CUDA.

import { describeValue, quoted } from "@mm-ptx/types/internal";
import { Bytes, invalid, latin1 } from "./bytes.js";
import { CubinError } from "./error.js";
import { type Extent, refuseOverlaps } from "./overlaps.js";

export interface ElfSection {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  /** Offset in the file. */
  readonly offset: number;
  /** Size in memory; sections without content in the file have a size too. */
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly content: Bytes;
}

export interface ElfSymbol {
  readonly name: string;
  readonly type: number;
  readonly binding: number;
  readonly other: number;
  /** The section's index, or a number that is not a section's index for symbols without a section. */
  readonly section: number;
  readonly value: number;
  readonly size: number;
}

export interface ElfHeader {
  readonly abi: number;
  readonly type: number;
  readonly flags: number;
}

export interface ElfFile extends ElfHeader {
  /** The first section is the empty one, so that indices match the file's. */
  readonly sections: readonly ElfSection[];
  readonly symbols: readonly ElfSymbol[];
  /** The sections with relocations by the index of the section that they apply to. */
  readonly relocations: ReadonlyMap<number, readonly ElfSection[]>;
}

const EM_CUDA = 190;
export const ET_REL = 1;
const SHT_SYMTAB = 2;
const SHT_RELA = 4;
const SHT_REL = 9;
const SHT_SYMTAB_SHNDX = 18;
/** SHT_NOBITS, and CUDA's own types for global, local, shared and reserved memory in relocatable files. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([8, 0x70000007, 0x70000009, 0x7000000a, 0x70000015]);
const SHN_XINDEX = 0xffff;
export const STB_LOCAL = 0;
export const STT_OBJECT = 1;
export const STT_FUNC = 2;
/** CUDA's own type for objects. */
export const STT_CUDA_OBJECT = 13;

const HEADER_BYTES = 64;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;

/** @throws CubinError `INVALID_CUBIN`; `INVALID_ARGUMENT` for anything but a `Uint8Array` */
export function readElf(array: Uint8Array): ElfFile {
  const [file, header] = openElf(array);
  const sections = readSections(file);
  return {
    ...header,
    sections,
    symbols: readSymbols(sections),
    relocations: relocationSections(sections),
  };
}

/** What the header says of a file that is complete. @throws CubinError as `readElf` */
export const readElfHeader = (array: Uint8Array): ElfHeader => openElf(array)[1];

function openElf(array: Uint8Array): [Bytes, ElfHeader] {
  if (!(array instanceof Uint8Array)) {
    const message = `expected a cubin as a Uint8Array, found ${describeValue(array)}`;
    throw new CubinError("INVALID_ARGUMENT", message);
  }
  const file = Bytes.of(array);
  checkHeader(file);
  return [file, { abi: file.u8(8), type: file.u16(16), flags: file.u32(48) }];
}

function checkHeader(file: Bytes): void {
  if (file.length < HEADER_BYTES || file.u32(0) !== 0x464c457f) {
    throw invalid("a cubin (an ELF file)", file.length === 0 ? "no bytes" : "other bytes", 0);
  }
  if (file.u8(4) !== 2 || file.u8(5) !== 1) throw invalid("a 64-bit little-endian ELF file", "another", 4);
  const machine = file.u16(18);
  if (machine !== EM_CUDA) throw invalid("an ELF file for CUDA (machine 190)", `machine ${machine}`, 18);
  // The program header table, which the driver loads by, is at the end of a cubin, so a truncated file lacks it.
  const { end } = programTable(file);
  if (end > file.length) throw invalid(`at least ${end} bytes`, `${file.length}: the cubin is truncated`, 32);
}

function programTable(file: Bytes): Extent {
  const start = file.u64(32);
  return { what: "the program table", start, end: start + file.u16(54) * file.u16(56) };
}

function readSections(file: Bytes): ElfSection[] {
  const table = file.u64(40);
  const stride = file.u16(58);
  if (stride < SECTION_BYTES || table + stride > file.length) throw invalid("a section table", "none", 40);
  const field = (index: number, at: number): number => table + index * stride + at;
  // If there are too many sections for the header's field, the first section holds the count.
  const count = file.u16(60) || file.u64(field(0, 32));
  const namesIndex = file.u16(62) === SHN_XINDEX ? file.u32(field(0, 40)) : file.u16(62);
  if (namesIndex >= count || table + count * stride > file.length) {
    throw invalid("a section table inside of the file", `one of ${count} sections`, 40);
  }
  const nameTable = file.part(
    file.u64(field(namesIndex, 24)),
    file.u64(field(namesIndex, 32)),
    "the table of section names",
  );
  const names = new Names(nameTable);
  const extents: Extent[] = [
    { what: "the file header", start: 0, end: HEADER_BYTES },
    { what: "the section table", start: table, end: table + count * stride },
    programTable(file),
  ];
  const sections: ElfSection[] = [];
  for (let index = 0; index < count; index++) {
    const at = table + index * stride;
    const name = names.at(file.u32(at));
    file.account(name.length, `the name of section ${index}`, at);
    const [type, offset, size] = [file.u32(at + 4), file.u64(at + 24), file.u64(at + 32)];
    const isEmpty = index === 0 || WITHOUT_CONTENT.has(type);
    const what = `section ${quoted(name)}`;
    if (!isEmpty) extents.push({ what, start: offset, end: offset + size });
    sections.push({
      index,
      name,
      type,
      flags: file.u64(at + 8),
      offset,
      size,
      link: file.u32(at + 40),
      info: file.u32(at + 44),
      content: isEmpty ? file.part(0, 0, what) : file.part(offset, size, what),
    });
  }
  refuseOverlaps(extents);
  return sections;
}

function readSymbols(sections: readonly ElfSection[]): ElfSymbol[] {
  const table = sections.find(({ type }) => type === SHT_SYMTAB);
  if (table === undefined) return [];
  const strings = sections[table.link];
  if (strings === undefined)
    throw invalid("a string table for the symbols", `section ${table.link}`, table.offset);
  const names = new Names(strings.content);
  const wide = sections.find(({ type, link }) => type === SHT_SYMTAB_SHNDX && link === table.index)?.content;
  const { content } = table;
  const symbols: ElfSymbol[] = [];
  for (let at = 0; at + SYMBOL_BYTES <= content.length; at += SYMBOL_BYTES) {
    const info = content.u8(at + 4);
    const section = content.u16(at + 6);
    const name = names.at(content.u32(at));
    content.account(name.length, `the name of symbol ${symbols.length}`, at);
    symbols.push({
      name,
      type: info & 15,
      binding: info >> 4,
      other: content.u8(at + 5),
      section: section === SHN_XINDEX && wide !== undefined ? wide.u32(4 * symbols.length) : section,
      value: content.u64(at + 8),
      size: content.u64(at + 16),
    });
  }
  return symbols;
}

/** The value that a relocation puts at a place when the file is loaded. */
export interface Relocation {
  readonly symbol: ElfSymbol;
  readonly addend: number;
}

function relocationSections(sections: readonly ElfSection[]): Map<number, ElfSection[]> {
  const found = new Map<number, ElfSection[]>();
  for (const section of sections) {
    if (section.type !== SHT_RELA && section.type !== SHT_REL) continue;
    const same = found.get(section.info);
    if (same === undefined) found.set(section.info, [section]);
    else same.push(section);
  }
  return found;
}

/** The relocations of a section, by their offset in it. */
export function relocationsOf(
  { symbols, relocations }: ElfFile,
  { index: target }: ElfSection,
): Map<number, Relocation> {
  const found = new Map<number, Relocation>();
  for (const { type, content } of relocations.get(target) ?? []) {
    const stride = type === SHT_RELA ? 24 : 16;
    for (let at = 0; at + stride <= content.length; at += stride) {
      const index = content.u32(at + 12);
      const symbol = symbols[index];
      if (symbol === undefined)
        throw invalid("a symbol to relocate by", `number ${index}`, content.start + at);
      found.set(content.u64(at), { symbol, addend: type === SHT_RELA ? content.u64(at + 16) : 0 });
    }
  }
  return found;
}

/**
 * A string table. In a corrupt file, every symbol may refer to the same long string, so terminators are located once,
 * and names are slices of a single string.
 */
class Names {
  readonly #bytes: Bytes;
  readonly #text: string;
  readonly #ends: number[] = [];

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.#text = latin1(bytes.array);
    for (let at = this.#text.indexOf("\0"); at !== -1; at = this.#text.indexOf("\0", at + 1))
      this.#ends.push(at);
  }

  at(offset: number): string {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    const end = this.#ends[low];
    if (end !== undefined) return this.#text.slice(offset, end);
    throw invalid(`a name at ${offset} of ${this.#bytes.what}`, "no NUL after it", this.#bytes.start);
  }
}
