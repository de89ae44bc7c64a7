// Reading cubins: one with line tables, and files of 320 KB that were made to take long, whose parts are described again
// and again. The yardstick is the SHA-256 of the same bytes.

import { hash } from "node:crypto";
import { CubinError, inspectCubin } from "@mm-ptx/cuda";
import { uncached } from "./lib/compiling.mjs";
import { straightLineKernel } from "./lib/kernels.mjs";
import { medians } from "./lib/measure.mjs";

const HOSTILE_BYTES = 320_000;
const BUDGET = 15;

export async function run() {
  const files = [
    { name: "a cubin with line tables", bytes: await compiledCubin() },
    { name: "2,500 sections with the same attributes", bytes: sharedAttributes() },
    { name: "6,600 functions with the same code", bytes: sharedCode() },
  ];
  const rows = [];
  for (const { name, bytes } of files) {
    const [ours, yardstick] = await medians([() => read(bytes), () => hash("sha256", bytes)], { calls: 1 });
    const ratio = ours / yardstick;
    rows.push({
      name: `inspectCubin: ${name}, ${Math.round(bytes.length / 1000)} KB (yardstick: SHA-256 of the bytes)`,
      ours: ours / 1000,
      yardstick: yardstick / 1000,
      ratio,
      budget: BUDGET,
      unit: "ms",
      pass: ratio <= BUDGET,
      hard: true,
    });
  }
  return rows;
}

function read(bytes) {
  try {
    return inspectCubin(bytes);
  } catch (error) {
    if (error instanceof CubinError) return error;
    throw error;
  }
}

async function compiledCubin() {
  const compiler = uncached({ lineInfo: true });
  try {
    return (await compiler.compile(straightLineKernel(1, 2000))).cubin;
  } finally {
    compiler.dispose();
  }
}

/** Half of the file is attributes, and the other half the headers of sections that all have them. */
function sharedAttributes() {
  const content = Buffer.alloc(HOSTILE_BYTES / 2);
  for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE(0x1701, at);
  const count = Math.floor(HOSTILE_BYTES / 2 / 64);
  return file(
    [content],
    Array.from({ length: count }, () => ({ name: ".nv.info.k", of: 0 })),
  );
}

/** Half of the file is code, and the other half the symbols that all are functions of its size. */
function sharedCode() {
  const code = Buffer.alloc(HOSTILE_BYTES / 2);
  const count = Math.floor(HOSTILE_BYTES / 2 / 24);
  const symbols = Buffer.alloc(24 * count);
  for (let at = 0; at < symbols.length; at += 24) {
    symbols.writeUInt32LE(1, at);
    symbols.writeUInt8(2, at + 4);
    symbols.writeUInt16LE(1, at + 6);
    symbols.writeBigUInt64LE(BigInt(code.length), at + 16);
  }
  return file(
    [code, symbols, Buffer.from("\0k\0")],
    [
      { name: ".text.k", of: 0 },
      { name: ".symtab", of: 1, type: 2, link: 3 },
      { name: ".strtab", of: 2, type: 3 },
    ],
  );
}

/** A cubin with these contents, and sections that refer to them by number. */
function file(contents, sections) {
  const names = Buffer.from(`\0${sections.map(({ name }) => name).join("\0")}\0`);
  const all = [...contents, names];
  const starts = [];
  let end = 64;
  for (const { length } of all) {
    starts.push(end);
    end += length;
  }
  const headers = [...sections, { name: "", of: all.length - 1, type: 3 }];
  const bytes = Buffer.alloc(end + 64 * (headers.length + 1));
  bytes.write("\x7fELF\x02\x01\x01", 0, "latin1");
  bytes.writeUInt8(8, 8);
  bytes.writeUInt16LE(190, 18);
  bytes.writeBigUInt64LE(BigInt(end), 40);
  bytes.writeUInt16LE(64, 58);
  bytes.writeUInt16LE(headers.length + 1, 60);
  bytes.writeUInt16LE(headers.length, 62);
  all.forEach((content, i) => {
    content.copy(bytes, starts[i]);
  });
  let nameAt = 1;
  headers.forEach(({ name, of, type = 1, link = 0 }, i) => {
    const row = end + 64 * (i + 1);
    bytes.writeUInt32LE(name === "" ? 0 : nameAt, row);
    nameAt += name.length + 1;
    bytes.writeUInt32LE(type, row + 4);
    bytes.writeBigUInt64LE(BigInt(starts[of]), row + 24);
    bytes.writeBigUInt64LE(BigInt(all[of].length), row + 32);
    bytes.writeUInt32LE(link, row + 40);
  });
  return bytes;
}
