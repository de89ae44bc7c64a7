// Line tables map code offsets to source lines. `.debug_line` maps to the source that the PTX names with `.loc`,
// `.nv_debug_line_sass` to the PTX itself. Both are DWARF 2 line programs (section 6.2 of the standard), with NVIDIA's
// two extended opcodes for inlined calls.

import { type Bytes, Cursor, invalid } from "./bytes.js";
import { type ElfFile, type Relocation, relocationsOf } from "./elf.js";

/** A line's code starts at `offset` and ends at the offset of the next entry. */
export interface CodeLine {
  /** Byte offset in the section's code. */
  readonly offset: number;
  /** Empty in tables for the PTX itself. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The call site, if the line was inlined. */
  readonly inlinedAt?: CodeLine;
}

const COPY = 1;
const ADVANCE_PC = 2;
const ADVANCE_LINE = 3;
const SET_FILE = 4;
const CONST_ADD_PC = 8;
const FIXED_ADVANCE_PC = 9;
const EXTENDED = 0;
const END_SEQUENCE = 1;
const SET_ADDRESS = 2;
const DEFINE_FILE = 3;
const INLINED_CALL = 0x90;
/** Deeper chains of inlined calls would exhaust the stack of whoever walks or serializes them. */
const MOST_CALLS = 4096;
/** From version 5 on, file names refer to their folders differently. */
const LAST_VERSION = 4;

/**
 * Reads the line tables in the section with this name. DWARF 5 tables, which no compiler of CUDA 12 or 13 writes there,
 * are skipped.
 *
 * @returns the lines of each code section by its index, in order of offset
 * @throws CubinError `INVALID_CUBIN`
 */
export function readLines(elf: ElfFile, name: string): Map<number, CodeLine[]> {
  const lines = new Map<number, CodeLine[]>();
  for (const section of elf.sections) {
    if (section.name !== name) continue;
    const relocations = relocationsOf(elf, section);
    const { content } = section;
    for (let at = 0; at < content.length; ) {
      const length = content.u32(at);
      const unit = content.part(at + 4, length, `a line table of \`${name}\``);
      new LineProgram(unit, at + 4, relocations, lines).run();
      at += 4 + length;
    }
  }
  for (const list of lines.values()) list.sort((a, b) => a.offset - b.offset);
  return lines;
}

interface Header {
  readonly lineBase: number;
  readonly lineRange: number;
  readonly minLength: number;
  /** The number of arguments of each standard opcode. */
  readonly argumentCounts: readonly number[];
  readonly files: string[];
  readonly folders: readonly string[];
}

class LineProgram {
  readonly #cursor: Cursor;
  readonly #start: number;
  readonly #relocations: ReadonlyMap<number, Relocation>;
  readonly #lines: Map<number, CodeLine[]>;
  /** The rows of this sequence; inlined calls refer to them by number. */
  #rows: CodeLine[] = [];
  /** The number of calls that each row was inlined through. */
  #depths: number[] = [];
  #address = 0;
  #section: number | undefined;
  #file = 1;
  #line = 1;
  /** The number of the calling row, counted from 1; 0 if there is no caller. */
  #caller = 0;

  /** @param start the unit's offset in its section, which relocations are relative to */
  constructor(
    unit: Bytes,
    start: number,
    relocations: ReadonlyMap<number, Relocation>,
    lines: Map<number, CodeLine[]>,
  ) {
    this.#cursor = new Cursor(unit);
    this.#start = start;
    this.#relocations = relocations;
    this.#lines = lines;
  }

  run(): void {
    const version = this.#cursor.u16();
    if (version > LAST_VERSION) return;
    const header = this.#header(version);
    while (!this.#cursor.atEnd) this.#step(header);
  }

  #header(version: number): Header {
    const cursor = this.#cursor;
    const { start } = cursor.bytes;
    const size = cursor.u32();
    const end = cursor.at + size;
    const minLength = cursor.u8();
    if (version >= 4) cursor.u8();
    cursor.u8();
    const lineBase = (cursor.u8() << 24) >> 24;
    const lineRange = cursor.u8();
    if (lineRange === 0) throw invalid("a range of lines", "0", start + cursor.at - 1);
    const argumentCounts = [0];
    for (let left = cursor.u8() - 1; left > 0; left--) argumentCounts.push(cursor.u8());
    const folders = [""];
    for (let folder = cursor.text(); folder !== ""; folder = cursor.text()) folders.push(folder);
    const files = [""];
    for (let name = cursor.text(); name !== ""; name = cursor.text()) files.push(this.#path(name, folders));
    if (end < cursor.at || end > cursor.bytes.length) {
      throw invalid("a line table with its header inside", `its end at ${end}`, start);
    }
    cursor.at = end;
    return { lineBase, lineRange, minLength, argumentCounts, files, folders };
  }

  /** Reads the number of a file's folder, its time and its size, which follow its name. */
  #path(name: string, folders: readonly string[]): string {
    const cursor = this.#cursor;
    const folder = folders[cursor.uleb()] ?? "";
    cursor.uleb();
    cursor.uleb();
    const path = folder === "" || name.startsWith("/") ? name : `${folder}/${name}`;
    cursor.bytes.account(path.length, "the path of a file", cursor.at);
    return path;
  }

  #step(header: Header): void {
    const cursor = this.#cursor;
    const { lineBase, lineRange, minLength, argumentCounts } = header;
    const opcode = cursor.u8();
    if (opcode >= argumentCounts.length) {
      const special = opcode - argumentCounts.length;
      this.#address += minLength * Math.floor(special / lineRange);
      this.#line += lineBase + (special % lineRange);
      this.#row(header);
      return;
    }
    switch (opcode) {
      case EXTENDED:
        this.#extended(header);
        break;
      case COPY:
        this.#row(header);
        break;
      case ADVANCE_PC:
        this.#address += minLength * cursor.uleb();
        break;
      case ADVANCE_LINE:
        this.#line += cursor.sleb();
        break;
      case SET_FILE:
        this.#file = cursor.uleb();
        break;
      case CONST_ADD_PC:
        this.#address += minLength * Math.floor((255 - argumentCounts.length) / lineRange);
        break;
      case FIXED_ADVANCE_PC:
        this.#address += cursor.u16();
        break;
      default:
        for (let left = argumentCounts[opcode]!; left > 0; left--) cursor.uleb();
    }
  }

  #extended({ files, folders }: Header): void {
    const cursor = this.#cursor;
    const length = cursor.uleb();
    const end = cursor.at + length;
    const opcode = length === 0 ? 0 : cursor.u8();
    if (opcode === END_SEQUENCE) {
      this.#rows = [];
      this.#depths = [];
      this.#address = 0;
      this.#section = undefined;
      this.#file = 1;
      this.#line = 1;
      this.#caller = 0;
    } else if (opcode === SET_ADDRESS) {
      const relocation = this.#relocations.get(this.#start + cursor.at);
      this.#section = relocation?.symbol.section;
      this.#address =
        cursor.u64() + (relocation === undefined ? 0 : relocation.symbol.value + relocation.addend);
    } else if (opcode === DEFINE_FILE) files.push(this.#path(cursor.text(), folders));
    else if (opcode === INLINED_CALL) this.#caller = cursor.uleb();
    cursor.at = end;
  }

  #row({ files }: Header): void {
    const caller = this.#rows[this.#caller - 1];
    const depth = caller === undefined ? 0 : this.#depths[this.#caller - 1]! + 1;
    const { bytes, at } = this.#cursor;
    if (depth > MOST_CALLS)
      throw invalid(`code inlined through at most ${MOST_CALLS} calls`, "more", bytes.start + at);
    bytes.account(depth, "the call sites of a line", at);
    this.#depths.push(depth);
    const row: CodeLine = {
      offset: this.#address,
      file: files[this.#file] ?? "",
      line: this.#line,
      ...(caller === undefined ? {} : { inlinedAt: caller }),
    };
    this.#rows.push(row);
    if (this.#section === undefined) return;
    const list = this.#lines.get(this.#section);
    if (list === undefined) this.#lines.set(this.#section, [row]);
    // Of several rows for one offset, the last one is the origin of the code; the earlier ones only call it.
    else if (list.at(-1)!.offset === row.offset) list[list.length - 1] = row;
    else list.push(row);
  }
}
