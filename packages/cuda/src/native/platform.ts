// Selects the native package for this machine, and checks whether a file is a suitable shared object.

import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** The platforms with a native package. */
export const PLATFORMS: readonly string[] = ["linux-x64", "linux-arm64", "win32-x64"];

/** The folder name of the native package for this machine, or the reason why there is none. */
export function platformName(): { readonly name: string } | { readonly reason: string } {
  const host = `${process.platform}-${process.arch}`;
  if (PLATFORMS.includes(host)) return { name: host };
  const others = `${PLATFORMS.slice(0, -1).join(", ")} and ${PLATFORMS.at(-1)}`;
  return { reason: `there is no native package for ${host}, only for ${others}` };
}

/** The file names of a native package on this platform. */
export function nativeFiles(): { readonly addon: string; readonly library: string; readonly worker: string } {
  return process.platform === "win32"
    ? { addon: "mmptx.node", library: "mmptxc.dll", worker: "mmptx-worker.exe" }
    : { addon: "mmptx.node", library: "libmmptxc.so", worker: "mmptx-worker" };
}

/** Whether this Node is built for musl instead of glibc. The check is slow, so it only runs if something is missing. */
export function builtForMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return (
    process.platform === "linux" && report !== undefined && report.header?.glibcVersionRuntime === undefined
  );
}

/** Whether this package lies in a clone of the repository, whose set-up builds the native part. */
export const isClone = (): boolean =>
  existsSync(new URL("../../../../native/CMakeLists.txt", import.meta.url));

/** The remedy for a missing or corrupt native part. */
export function nativeCure(): string {
  if ("reason" in platformName()) return "use a machine of one of these platforms";
  if (builtForMusl()) return "use a Node that is built for glibc";
  const { addon, library, worker } = nativeFiles();
  const clone = process.platform === "linux" ? " (in a clone: `npm run setup` builds them)" : "";
  return (
    "install the optional dependencies of @mm-ptx/cuda for this platform and Node, or name a folder with " +
    `${addon}, ${library} and ${worker} in MM_PTX_NATIVE_DIR${clone}`
  );
}

const MACHINES = new Map([
  [3, "x86 (32 bit)"],
  [40, "arm (32 bit)"],
  [62, "x86-64"],
  [183, "aarch64"],
  [243, "risc-v"],
]);

const HOST_MACHINE: Readonly<Record<string, number>> = {
  x64: 62,
  arm64: 183,
  ia32: 3,
  arm: 40,
  riscv64: 243,
};

/**
 * Why `path` is not a shared object for this machine, or `undefined` if it looks like one. Windows reports this itself.
 */
export function wrongMachine(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const file = openSync(path, "r");
  try {
    const header = readAt(file, 0, 64);
    if (header.length < 64 || header.readUInt32BE(0) !== 0x7f454c46) {
      return "expected a shared object (ELF), found another kind of file";
    }
    const machine = header[5] === 2 ? header.readUInt16BE(18) : header.readUInt16LE(18);
    const expected = HOST_MACHINE[process.arch];
    if (expected !== undefined && machine !== expected) {
      const name = (number: number) => MACHINES.get(number) ?? `machine ${number}`;
      return `built for another machine: expected ${name(expected)}, found ${name(machine)}`;
    }
    return header[4] === 2 && header[5] === 1 ? damage(file, header) : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * The loader crashes on a file that is truncated or incompletely written, so this is checked first: a section table
 * ends the file, and the section with its names is a string table.
 */
function damage(file: number, header: Buffer): string | undefined {
  const segments = { at: u64(header, 32), size: header.readUInt16LE(54), count: header.readUInt16LE(56) };
  const sections = { at: u64(header, 40), size: header.readUInt16LE(58), count: header.readUInt16LE(60) };
  if (segments.size !== 56) return `expected segment headers of 56 bytes, found ${segments.size}`;
  const size = fstatSync(file).size;
  const table = readAt(file, segments.at, segments.size * segments.count);
  let end = Math.max(...[segments, sections].map(({ at, size, count }) => at + size * count));
  for (let at = 0; at + segments.size <= table.length; at += segments.size) {
    if (table.readUInt32LE(at) === PT_LOAD) end = Math.max(end, u64(table, at + 8) + u64(table, at + 32));
  }
  if (end > size) return `truncated: expected at least ${end} bytes, found ${size}`;
  if (sections.at === 0) return undefined;
  const names = readAt(file, sections.at + sections.size * header.readUInt16LE(62), 8);
  return names.readUInt32LE(4) === SHT_STRTAB
    ? undefined
    : "corrupt: expected a section table at its end, found other bytes";
}

const PT_LOAD = 1;
const SHT_STRTAB = 3;

const u64 = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
