// Writes cubins section by section, also ones that no compiler writes.

/** A section; several may have the same bytes. */
export interface WrittenSection {
  readonly name: string;
  readonly type?: number;
  readonly flags?: number;
  readonly link?: number;
  readonly info?: number;
  /** The bytes, or the number of the section whose bytes are meant, counted from 1. */
  readonly content: Uint8Array | number;
  /** Takes the place of the size that the content has. */
  readonly size?: number;
}

/** Fields of the file that are not those of its sections. */
export interface WrittenHeader {
  /** Takes the place of the number of sections. */
  readonly count?: number;
  /** Whether the names of sections begin one after another in the first one. */
  readonly namesOverlap?: boolean;
}

const SHT_STRTAB = 3;

/** A cubin for sm_90 with these sections, numbered from 1, and a table of their names as the last one. */
export function writeElf(sections: readonly WrittenSection[], header: WrittenHeader = {}): Uint8Array {
  const names = Buffer.from(`\0${sections.map(({ name }) => name).join("\0")}\0`, "latin1");
  const all: WrittenSection[] = [...sections, { name: "", type: SHT_STRTAB, content: names }];
  const contents = all.flatMap(({ content }) => (typeof content === "number" ? [] : [content]));
  const table = 64 + contents.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.alloc(table + 64 * (all.length + 1));
  bytes.write("\x7fELF\x02\x01\x01", 0, "latin1");
  bytes.writeUInt8(8, 8);
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(190, 18);
  bytes.writeBigUInt64LE(BigInt(table), 40);
  bytes.writeUInt32LE(0x5a00, 48);
  bytes.writeUInt16LE(64, 58);
  bytes.writeUInt16LE(header.count === undefined ? all.length + 1 : 0, 60);
  bytes.writeUInt16LE(all.length, 62);
  if (header.count !== undefined) bytes.writeBigUInt64LE(BigInt(header.count), table + 32);
  const places = new Map<number, number>();
  let at = 64;
  let name = 1;
  all.forEach((section, i) => {
    const { type = 1, flags = 0, link = 0, info = 0, content, size } = section;
    const row = table + 64 * (i + 1);
    bytes.writeUInt32LE(i === all.length - 1 ? 0 : name, row);
    name += header.namesOverlap ? 1 : section.name.length + 1;
    bytes.writeUInt32LE(type, row + 4);
    bytes.writeBigUInt64LE(BigInt(flags), row + 8);
    bytes.writeUInt32LE(link, row + 40);
    bytes.writeUInt32LE(info, row + 44);
    const whose = typeof content === "number" ? content : i + 1;
    if (typeof content !== "number") {
      places.set(whose, at);
      bytes.set(content, at);
      at += content.length;
    }
    bytes.writeBigUInt64LE(BigInt(places.get(whose)!), row + 24);
    const { length } = all[whose - 1]!.content as Uint8Array;
    bytes.writeBigUInt64LE(BigInt(size ?? length), row + 32);
  });
  return bytes;
}

export interface WrittenSymbol {
  /** The offset in the table of names. */
  readonly name: number;
  readonly type: number;
  readonly section: number;
  readonly size: number;
}

/** The content of a symbol table. */
export function writeSymbols(symbols: readonly WrittenSymbol[]): Uint8Array {
  const bytes = Buffer.alloc(24 * symbols.length);
  symbols.forEach(({ name, type, section, size }, i) => {
    bytes.writeUInt32LE(name, 24 * i);
    bytes.writeUInt8(type, 24 * i + 4);
    bytes.writeUInt8(0x10, 24 * i + 5);
    bytes.writeUInt16LE(section, 24 * i + 6);
    bytes.writeBigUInt64LE(BigInt(size), 24 * i + 16);
  });
  return bytes;
}

/** A line table of version 2 with one folder, whose files are `files`, for a line program. */
export function writeLines(folder: string, files: readonly string[], program: readonly number[]): Uint8Array {
  const names = files.map((name) => `${name}\0\x01\0\0`).join("");
  // Opcodes from 10 on are special: line base -1, range 4.
  const head = Buffer.from(
    `\x01\x01\xff\x04\x0a\0\x01\x01\x01\x01\0\0\0\x01${folder}\0\0${names}\0`,
    "latin1",
  );
  const bytes = Buffer.alloc(10 + head.length + program.length);
  bytes.writeUInt32LE(bytes.length - 4, 0);
  bytes.writeUInt16LE(2, 4);
  bytes.writeUInt32LE(head.length, 6);
  bytes.set(head, 10);
  bytes.set(program, 10 + head.length);
  return bytes;
}
