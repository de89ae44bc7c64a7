// Reads the requirements of an executable from its ELF headers (System V ABI, ELF-64), so that programs that can't run
// are rejected, with a remedy, before they start.
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { EmulatorError } from "../error.js";

const ELF_MAGIC = 0x464c457f;
const CLASS_64 = 2;
const ET_EXEC = 2;
const ET_DYN = 3;
/** EM_X86_64 and EM_AARCH64. */
const MACHINES: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };
/** The first bytes of a file, among which a script has no zeros. */
const START_BYTES = 4096;
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const DT_NEEDED = 1;
const DT_STRTAB = 5;
const DT_RPATH = 15;
/** The most bytes of a table; real ones are smaller. */
const MOST_BYTES = 2 ** 24;

/** The requirements of an executable. */
export interface Executable {
  readonly libraries: readonly string[];
  /** The dynamic loader that starts it; undefined for a static program. */
  readonly loader: string | undefined;
  /** Whether it names folders that are searched before `LD_LIBRARY_PATH`. */
  readonly hasOldPath: boolean;
  readonly hasFatbin: boolean;
}

/** The file of a program, which is searched on PATH as a shell does. @throws EmulatorError NOT_FOUND */
export function fileOf(program: string): string {
  const places = program.includes("/")
    ? [program]
    : (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  const file = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  if (file !== undefined) return file;
  const isHere = statSync(program, { throwIfNoEntry: false })?.isFile() === true;
  throw new EmulatorError(
    "NOT_FOUND",
    `expected the file of a program, found none ${isHere ? `on PATH; the one in the current folder is \`./${program}\`` : `at \`${program}\``}`,
  );
}

/**
 * The requirements of an executable; undefined for a script. Other files are rejected, because starting them would make
 * a shell read them as a script.
 * @throws EmulatorError INVALID_ARGUMENT for a file that is neither, and a corrupt one
 */
export function readExecutable(file: string): Executable | undefined {
  const handle = openSync(file, "r");
  try {
    const read = (at: number, bytes: number): Buffer => {
      if (bytes > MOST_BYTES) throw new RangeError("a table larger than any real one");
      const found = Buffer.alloc(bytes);
      return found.subarray(0, readSync(handle, found, 0, found.length, at));
    };
    const start = read(0, START_BYTES);
    if (start.length < 4 || start.readUInt32LE() !== ELF_MAGIC) {
      if (start.length > 0 && !start.includes(0)) return undefined;
      throw notExecutable(file, "other content");
    }
    const machine = start.readUInt16LE(18);
    if (start[4] !== CLASS_64 || ![ET_EXEC, ET_DYN].includes(start.readUInt16LE(16)))
      throw notExecutable(file, "an object file or a 32-bit file");
    if (machine !== MACHINES[process.arch]) throw notExecutable(file, "a program for another processor");
    return parse(start.subarray(0, 64), read, fstatSync(handle).size);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw notExecutable(file, "a corrupt one");
  } finally {
    closeSync(handle);
  }
}

const notExecutable = (file: string, found: string): EmulatorError =>
  new EmulatorError("INVALID_ARGUMENT", `expected an executable or a script in \`${file}\`, found ${found}`);

type Read = (at: number, bytes: number) => Buffer;

function parse(header: Buffer, read: Read, fileBytes: number): Executable {
  const [programs, sections] = [header.readBigUInt64LE(32), header.readBigUInt64LE(40)].map(Number);
  const [programSize, programCount] = [header.readUInt16LE(54), header.readUInt16LE(56)];
  const [sectionSize, sectionCount, names] = [58, 60, 62].map((at) => header.readUInt16LE(at));
  const segments = tableOf(read, programs!, programSize, programCount).map((row) => ({
    type: row.readUInt32LE(0),
    offset: Number(row.readBigUInt64LE(8)),
    address: Number(row.readBigUInt64LE(16)),
    bytes: Number(row.readBigUInt64LE(32)),
  }));
  if (segments.length === 0 || segments.some(({ offset, bytes }) => offset + bytes > fileBytes))
    throw new RangeError("expected the segments in the file");
  const offsetOf = (address: number): number => {
    const segment = segments.find(
      (one) => one.type === PT_LOAD && address >= one.address && address < one.address + one.bytes,
    );
    if (segment === undefined) throw new RangeError("expected an address of the file");
    return segment.offset + address - segment.address;
  };
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  const entries = rowsOf(
    dynamic === undefined ? Buffer.alloc(0) : read(dynamic.offset, dynamic.bytes),
    16,
  ).map((row) => ({ tag: Number(row.readBigInt64LE(0)), value: Number(row.readBigUInt64LE(8)) }));
  const strings = entries.find(({ tag }) => tag === DT_STRTAB)?.value;
  const libraries = entries
    .filter(({ tag }) => tag === DT_NEEDED && strings !== undefined)
    .map(({ value }) => textAt(read(offsetOf(strings!) + value, 256), 0));
  const loader = segments.find(({ type }) => type === PT_INTERP);
  const sectionRows = tableOf(read, sections!, sectionSize!, sectionCount!);
  const nameRow = sectionRows[names!];
  const sectionNames =
    nameRow && read(Number(nameRow.readBigUInt64LE(24)), Number(nameRow.readBigUInt64LE(32)));
  return {
    libraries,
    loader: loader && textAt(read(loader.offset, loader.bytes), 0),
    hasOldPath: entries.some(({ tag }) => tag === DT_RPATH),
    hasFatbin: sectionRows.some(
      (row) => sectionNames !== undefined && textAt(sectionNames, row.readUInt32LE(0)) === ".nv_fatbin",
    ),
  };
}

/** @throws RangeError if the file ends within the table */
function tableOf(read: Read, at: number, size: number, count: number): readonly Buffer[] {
  const table = read(at, size * count);
  if (table.length < size * count) throw new RangeError("expected the rest of a table");
  return rowsOf(table, size);
}

function rowsOf(table: Buffer, size: number): readonly Buffer[] {
  if (size === 0) return [];
  return Array.from({ length: Math.floor(table.length / size) }, (_, i) =>
    table.subarray(i * size, (i + 1) * size),
  );
}

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  return bytes.toString("utf8", at, end === -1 ? bytes.length : end);
}

/** @throws EmulatorError UNSUPPORTED for a program with a CUDA runtime of its own */
export function refuseOwnRuntime(program: string, { libraries, hasFatbin }: Executable): void {
  if (!hasFatbin || libraries.some((library) => library.startsWith("libcudart.so"))) return;
  throw new EmulatorError(
    "UNSUPPORTED",
    `expected a program that loads the CUDA runtime, found \`${program}\`, which contains it: link it with \`nvcc -cudart shared\``,
  );
}
