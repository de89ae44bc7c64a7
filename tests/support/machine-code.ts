// The properties of each kernel of a cubin that matter to a GPU, regardless of its name and of the layout of
// the module's data: instructions, constants, sizes and resources. Two kernels of different modules with
// equal properties do the same.

/** Layout of ELF and of NVIDIA's sections in it, as far as it is needed here. */
const SHT_RELA = 4;
const SHT_NOBITS = 8;
const SHT_REL = 9;
const STO_CUDA_ENTRY = 0x10;
const INSTRUCTION = 16;
/**
 * In the low half of an instruction: the operation, and the bank and offset of an operand `c[bank][offset]`.
 */
const OPERATION_MASK = 0xfffn;
const BANK_SHIFT = 54n;
const PLACE_SHIFT = 40n;
const PLACE_MASK = 0x3fffn << PLACE_SHIFT;
/** The bank of a module's addresses; the offset of an address in it depends on the rest of the module. */
const ADDRESS_BANK = 4n;
/** The number of bytes in which an operation counts offsets, if it is not 4. */
const PLACE_UNITS: Readonly<Record<number, number>> = { 1964: 8 };

/** Entries of `.nv.info` that belong to one function and name it by its symbol. */
const RESOURCES: Readonly<Record<number, string>> = {
  17: "frame size",
  18: "least stack size",
  35: "most stack size",
  47: "registers",
};
/** Entries of `.nv.info.KERNEL` that name symbols by their index. */
const NAMES_SYMBOLS = new Set([0x0a, 0x0f]);

/** A function of the compiler's own in the code of a kernel; the compiler numbers them through a module. */
const SUBROUTINE = /^\$__internal_\d+_/;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly size: number;
  readonly info: number;
  readonly bytes: Buffer;
}

interface Relocation {
  readonly offset: number;
  readonly type: number;
  readonly symbol: string;
  readonly addend: bigint;
}

/** The key under which `KernelCode` has the compiler's own functions, by name. */
export const SUBROUTINES = "subroutines";

/** The properties of a kernel by name. Equal maps are the same machine code. */
export type KernelCode = ReadonlyMap<string, string>;

/**
 * The kernels of a cubin by name.
 *
 * @param plain returns the name of a symbol apart from its module: names with the same meaning must give the
 * same
 */
export function machineCode(
  cubin: Uint8Array,
  plain: (symbol: string) => string = (symbol) => symbol,
): Map<string, KernelCode> {
  const sections = readSections(Buffer.from(cubin.buffer, cubin.byteOffset, cubin.byteLength));
  const byName = new Map(sections.map((section) => [section.name, section]));
  const named = (name: string): Section | undefined => byName.get(name);
  // A pack has a thousand kernels, so nothing is scanned again for each. Names of kernels have no dots.
  const byKernel = groupBy(sections, ({ name }) => name.slice(name.lastIndexOf(".") + 1));
  const symbols = readSymbols(named(".symtab")!.bytes, named(".strtab")!.bytes);
  const relocating = groupBy(
    sections.filter(({ type }) => type === SHT_REL || type === SHT_RELA),
    ({ name }) => name.replace(/^\.rela?/, ""),
  );
  const relocations = (target: string): Relocation[] =>
    (relocating.get(target) ?? []).flatMap((section) => readRelocations(section, symbols, plain));
  const addresses = new Map(
    relocations(".nv.constant4").map((each) => [each.offset, `${each.symbol}+${each.addend}`]),
  );
  const resources = groupBy(
    infoEntries(named(".nv.info")?.bytes ?? Buffer.alloc(0)).filter(
      ({ attribute }) => attribute in RESOURCES,
    ),
    ({ value }) => value.readUInt32LE(0),
  );
  const ownFunctions = groupBy(
    symbols.filter((symbol) => SUBROUTINE.test(symbol.name)),
    ({ section }) => section,
  );
  const kernels = new Map<string, KernelCode>();
  for (const [index, { name, other, section }] of symbols.entries()) {
    const text = named(`.text.${name}`);
    if ((other & STO_CUDA_ENTRY) === 0 || text === undefined) continue;
    const code = new Map<string, string>();
    const subroutines = ownFunctions.get(section) ?? [];
    code.set(
      SUBROUTINES,
      subroutines
        .map((symbol) => symbol.name.replace(SUBROUTINE, ""))
        .sort()
        .join("\n"),
    );
    for (const section of byKernel.get(name) ?? []) {
      const kind = section.name.slice(0, -name.length);
      if (kind === ".text.") code.set("instructions", instructions(section.bytes, addresses));
      else if (/^\.nv\.constant\d+\.$/.test(kind)) code.set(kind, section.bytes.toString("hex"));
      else if (kind === ".nv.shared.") code.set(kind, `${section.size} bytes`);
      else if (kind === ".nv.info.") code.set(kind, kernelInfo(section.bytes));
    }
    code.set(
      "relocations",
      relocations(`.text.${name}`)
        .map(({ offset, type, symbol, addend }) => `${offset} ${type} ${symbol} ${addend}`)
        .sort()
        .join("\n"),
    );
    for (const { attribute, value } of resources.get(index) ?? [])
      code.set(RESOURCES[attribute]!, String(value.readUInt32LE(4)));
    kernels.set(name, code);
  }
  return kernels;
}

/** `Map.groupBy`, which Node 20 lacks. */
function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** The differences between two kernels, in words; empty if there are none. */
export function differences(a: KernelCode | undefined, b: KernelCode | undefined): string[] {
  if (a === undefined || b === undefined) return ["the kernel is in one cubin only"];
  return [...new Set([...a.keys(), ...b.keys()])].filter((what) => a.get(what) !== b.get(what));
}

/** Instructions in hexadecimal; addresses from the module's bank are replaced by what they point to. */
function instructions(bytes: Buffer, addresses: ReadonlyMap<number, string>): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += INSTRUCTION) {
    const low = bytes.readBigUInt64LE(at);
    const high = bytes.readBigUInt64LE(at + 8);
    const unit = PLACE_UNITS[Number(low & OPERATION_MASK)] ?? 4;
    const place = Number((low & PLACE_MASK) >> PLACE_SHIFT) * unit;
    const half = place % 8;
    const address = ((low >> BANK_SHIFT) & 31n) === ADDRESS_BANK ? addresses.get(place - half) : undefined;
    const rest = address === undefined ? low : low & ~PLACE_MASK;
    lines.push(
      `${rest.toString(16)} ${high.toString(16)} ${address === undefined ? "" : `${address} ${half}`}`,
    );
  }
  return lines.join("\n");
}

function kernelInfo(bytes: Buffer): string {
  return infoEntries(bytes)
    .filter(({ attribute }) => !NAMES_SYMBOLS.has(attribute))
    .map(({ attribute, value }) => `${attribute.toString(16)} ${value.toString("hex")}`)
    .join("\n");
}

/** The entries of a `.nv.info` section: format, attribute, and either two bytes or a length and as many bytes. */
function infoEntries(bytes: Buffer): { attribute: number; value: Buffer }[] {
  const entries: { attribute: number; value: Buffer }[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const sized = bytes[at] === 4;
    const end = at + 4 + (sized ? bytes.readUInt16LE(at + 2) : 0);
    entries.push({ attribute: bytes[at + 1]!, value: bytes.subarray(sized ? at + 4 : at + 2, end) });
    at = end;
  }
  return entries;
}

function readSections(file: Buffer): Section[] {
  const table = Number(file.readBigUInt64LE(40));
  const count = file.readUInt16LE(60);
  const headers = Array.from({ length: count }, (_, i) => {
    const at = table + 64 * i;
    const offset = Number(file.readBigUInt64LE(at + 24));
    const size = Number(file.readBigUInt64LE(at + 32));
    const type = file.readUInt32LE(at + 4);
    const bytes = type === SHT_NOBITS ? file.subarray(0, 0) : file.subarray(offset, offset + size);
    return { nameAt: file.readUInt32LE(at), type, size, info: file.readUInt32LE(at + 44), bytes };
  });
  const names = headers[file.readUInt16LE(62)]!.bytes;
  return headers.map(({ nameAt, ...section }) => ({ name: textAt(names, nameAt), ...section }));
}

interface ElfSymbol {
  readonly name: string;
  readonly other: number;
  /** The index of the section that it is in. */
  readonly section: number;
}

function readSymbols(table: Buffer, names: Buffer): ElfSymbol[] {
  return Array.from({ length: table.length / 24 }, (_, i) => ({
    name: textAt(names, table.readUInt32LE(24 * i)),
    other: table[24 * i + 5]!,
    section: table.readUInt16LE(24 * i + 6),
  }));
}

function readRelocations(
  { bytes, type }: Section,
  symbols: readonly ElfSymbol[],
  plain: (symbol: string) => string,
): Relocation[] {
  const size = type === SHT_RELA ? 24 : 16;
  return Array.from({ length: bytes.length / size }, (_, i) => ({
    offset: Number(bytes.readBigUInt64LE(size * i)),
    type: bytes.readUInt32LE(size * i + 8),
    symbol: plain(symbols[bytes.readUInt32LE(size * i + 12)]!.name),
    addend: type === SHT_RELA ? bytes.readBigInt64LE(size * i + 16) : 0n,
  }));
}

const textAt = (names: Buffer, at: number): string => names.toString("latin1", at, names.indexOf(0, at));
