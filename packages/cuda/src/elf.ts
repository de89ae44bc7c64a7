// As much of a cubin's ELF file as checks need: which architecture, which kernels, and whether two hold the same code.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeValue, MmPtxError } from "@mm-ptx/types/core";

/** A part of a cubin. */
export interface CubinSection {
  readonly name: string;
  /** A view of the cubin; empty for sections without content in the file. */
  readonly bytes: Uint8Array;
}

/** What `readCubin` finds. */
export interface Cubin {
  /** For example `sm_90` or `sm_100a`. */
  readonly arch: string;
  /** The kernels, in the order of the symbol table. */
  readonly entries: readonly string[];
  /** In file order, without the empty first one. */
  readonly sections: readonly CubinSection[];
}

/** Thrown for bytes that are no cubin. */
export class CubinError extends MmPtxError<"INVALID_CUBIN"> {
  constructor(message: string) {
    super("INVALID_CUBIN", message);
  }
}

interface Header {
  readonly name: string;
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
}

const TOOL_NOTE = ".note.nv.tkinfo";
const EM_CUDA = 190;
const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
/** Marks a kernel among the global functions of a symbol table. */
const STO_CUDA_ENTRY = 0x10;

/**
 * Reads the parts of a cubin.
 *
 * @throws CubinError `INVALID_CUBIN`
 */
export function readCubin(bytes: Uint8Array): Cubin {
  if (!(bytes instanceof Uint8Array)) {
    throw new CubinError(`expected a cubin as a Uint8Array, found ${describeValue(bytes)}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkIdent(bytes, view);
  checkSegments(bytes, view);
  const headers = readHeaders(bytes, view);
  const sections = headers.map(({ name, type, offset, size }) => ({
    name,
    bytes: type === SHT_NOBITS ? bytes.subarray(0, 0) : slice(bytes, offset, size, `section \`${name}\``),
  }));
  return {
    arch: readArch(view, sections),
    entries: readEntries(bytes, headers),
    sections: sections.slice(1),
  };
}

/**
 * Compares two cubins section by section. The note with the tool's name and options may differ; everything that a GPU
 * would see may not.
 *
 * @returns the names of the sections that differ or are in one only; empty when the machine code is the same
 * @throws CubinError `INVALID_CUBIN`
 */
export function sameMachineCode(a: Uint8Array, b: Uint8Array): string[] {
  const differing = new Set<string>();
  const left = byName(readCubin(a));
  const right = byName(readCubin(b));
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const one = left.get(name) ?? [];
    const other = right.get(name) ?? [];
    if (one.length !== other.length || one.some((bytes, i) => !equal(bytes, other[i]!))) differing.add(name);
  }
  if (archNumber(a) !== archNumber(b)) differing.add("ELF header");
  return [...differing];
}

function byName({ sections }: Cubin): Map<string, Uint8Array[]> {
  const map = new Map<string, Uint8Array[]>();
  for (const { name, bytes } of sections) {
    if (name === TOOL_NOTE) continue;
    const same = map.get(name);
    if (same === undefined) map.set(name, [bytes]);
    else same.push(bytes);
  }
  return map;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function checkIdent(bytes: Uint8Array, view: DataView): void {
  if (bytes.length < 64 || view.getUint32(0) !== 0x7f454c46) {
    throw new CubinError("expected a cubin (an ELF file), found other bytes");
  }
  if (bytes[4] !== 2 || bytes[5] !== 1)
    throw new CubinError("expected a 64-bit little-endian ELF file, found another");
  const machine = view.getUint16(18, true);
  if (machine !== EM_CUDA)
    throw new CubinError(`expected an ELF file for CUDA (machine 190), found machine ${machine}`);
}

/** The table that the driver loads by stands at the end of a cubin, so a cut file lacks it. */
function checkSegments(bytes: Uint8Array, view: DataView): void {
  const end = offsetAt(view, 32) + view.getUint16(54, true) * view.getUint16(56, true);
  if (end > bytes.length) {
    throw new CubinError(`expected at least ${end} bytes, found ${bytes.length}: the cubin is cut short`);
  }
}

function readHeaders(bytes: Uint8Array, view: DataView): Header[] {
  const table = offsetAt(view, 40);
  const entrySize = view.getUint16(58, true);
  const count = view.getUint16(60, true);
  const namesIndex = view.getUint16(62, true);
  if (entrySize < 64 || namesIndex >= count || table + count * entrySize > bytes.length) {
    throw new CubinError("expected a section table inside the file, found none");
  }
  const raw = Array.from({ length: count }, (_, i) => {
    const at = table + i * entrySize;
    return {
      nameOffset: view.getUint32(at, true),
      type: view.getUint32(at + 4, true),
      offset: offsetAt(view, at + 24),
      size: offsetAt(view, at + 32),
      link: view.getUint32(at + 40, true),
    };
  });
  const names = raw[namesIndex]!;
  const strings = slice(bytes, names.offset, names.size, "the table of section names");
  return raw.map(({ nameOffset, ...header }) => ({ name: textAt(strings, nameOffset), ...header }));
}

/** The kernels: global functions with the entry mark that have a section of code. */
function readEntries(bytes: Uint8Array, headers: readonly Header[]): string[] {
  const codeSections = new Set(
    headers.filter(({ name }) => name.startsWith(".text.")).map(({ name }) => name),
  );
  const entries: string[] = [];
  for (const { type, offset, size, link } of headers) {
    if (type !== SHT_SYMTAB) continue;
    const strings = headers[link];
    if (strings === undefined) throw new CubinError("expected a string table for the symbols, found none");
    const names = slice(bytes, strings.offset, strings.size, "the table of symbol names");
    const symbols = slice(bytes, offset, size, "the symbol table");
    const view = new DataView(symbols.buffer, symbols.byteOffset, symbols.byteLength);
    for (let at = 0; at + 24 <= symbols.length; at += 24) {
      const info = symbols[at + 4]!;
      if (info !== 0x12 || (symbols[at + 5]! & STO_CUDA_ENTRY) === 0) continue;
      const name = textAt(names, view.getUint32(at, true));
      if (codeSections.has(`.text.${name}`)) entries.push(name);
    }
  }
  return entries;
}

/** The header has the number only; the suffix is in the options that the tool's note quotes. */
function readArch(view: DataView, sections: readonly CubinSection[]): string {
  const number = elfNumber(view);
  const base = ARCHITECTURES.find((each) => each.elfNumber === number)?.base ?? `sm_${number}`;
  const note = sections.find(({ name }) => name === TOOL_NOTE);
  const quoted =
    note === undefined ? undefined : /sm_\w+/.exec(new TextDecoder("latin1").decode(note.bytes))?.[0];
  return quoted !== undefined && architecture(quoted)?.base === base ? quoted : base;
}

function archNumber(bytes: Uint8Array): number {
  return elfNumber(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function elfNumber(view: DataView): number {
  return (view.getUint32(48, true) >>> 8) & 0xff;
}

function slice(bytes: Uint8Array, offset: number, size: number, what: string): Uint8Array {
  if (offset + size > bytes.length) {
    throw new CubinError(
      `expected ${what} inside the file, found it ending at ${offset + size} of ${bytes.length} bytes`,
    );
  }
  return bytes.subarray(offset, offset + size);
}

/** A 64-bit field as a number; what does not fit one is beyond any file's end anyway. */
function offsetAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function textAt(strings: Uint8Array, offset: number): string {
  const end = strings.indexOf(0, offset);
  return new TextDecoder("latin1").decode(strings.subarray(offset, end === -1 ? strings.length : end));
}
