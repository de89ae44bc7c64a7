// Which native package belongs to this machine, and what kind of file a shared object is.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const PLATFORMS = ["linux-x64", "linux-arm64", "win32-x64"];

/** The folder name of the native package for this machine, or the sentence that says why there is none. */
export function platformName(): { readonly name: string } | { readonly reason: string } {
  const host = `${process.platform}-${process.arch}`;
  if (PLATFORMS.includes(host)) return { name: host };
  const others = `${PLATFORMS.slice(0, -1).join(", ")} and ${PLATFORMS.at(-1)}`;
  return { reason: `there is no native package for ${host}, only for ${others}` };
}

/** What the files of a native package are called on this platform. */
export function nativeFiles(): { readonly addon: string; readonly library: string; readonly worker: string } {
  return process.platform === "win32"
    ? { addon: "mmptx.node", library: "mmptxc.dll", worker: "mmptx-worker.exe" }
    : { addon: "mmptx.node", library: "libmmptxc.so", worker: "mmptx-worker" };
}

/** Why the package of this platform may be missing. Slow, so asked only when it is. */
export function missingReason(): string {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  const musl =
    process.platform === "linux" && report !== undefined && report.header?.glibcVersionRuntime === undefined;
  return musl
    ? "not installed: it needs glibc, and this Node is built for musl"
    : "the package is not installed";
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

/** Why `path` is no shared object for this machine, or `undefined` when it looks like one. Windows says so by itself. */
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
    return header[4] === 2 && header[5] === 1 ? cutShort(file, header) : undefined;
  } finally {
    closeSync(file);
  }
}

/** The loader dies of a file that ends before its segments do, so that is looked at first. */
function cutShort(file: number, header: Buffer): string | undefined {
  const size = fstatSync(file).size;
  const entrySize = header.readUInt16LE(54);
  if (entrySize !== 56) return `expected segment headers of 56 bytes, found ${entrySize}`;
  const table = readAt(file, Number(header.readBigUInt64LE(32)), entrySize * header.readUInt16LE(56));
  let end = Number(header.readBigUInt64LE(32)) + entrySize * header.readUInt16LE(56);
  for (let at = 0; at + 56 <= table.length; at += entrySize) {
    if (table.readUInt32LE(at) !== PT_LOAD) continue;
    end = Math.max(end, Number(table.readBigUInt64LE(at + 8)) + Number(table.readBigUInt64LE(at + 32)));
  }
  return end > size ? `cut short: expected at least ${end} bytes, found ${size}` : undefined;
}

const PT_LOAD = 1;

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
