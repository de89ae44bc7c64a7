// Programs as text and as files: disassembling and assembling, compared with a loop that hashes each
// character of the same text, which is a lower bound for reading words; and writing and reading program
// files, compared with zlib's CRC-32 of their bytes.

import { crc32 } from "node:zlib";
import {
  assemble,
  disassemble,
  input,
  meta,
  ptxInstruction,
  readProgramFile,
  StackProgram,
  writeProgramFile,
} from "@mm-ptx/stack";
import { f32, special, stacks, table, u32 } from "@mm-ptx/stack/default";
import { medians } from "./lib/measure.mjs";
import { generator } from "./lib/random.mjs";

const INSTRUCTIONS = 10_000;
const REGISTERS = { registers: ["x", "y", "z"] };
/** The instructions of each program in the file, and the number of programs. */
const SMALL = 100;
const PROGRAMS = 1000;

export async function run() {
  return [...(await textRows()), ...(await fileRows())];
}

async function textRows() {
  const program = randomProgram(INSTRUCTIONS, generator(1));
  const text = disassemble(program, table, REGISTERS);
  if (!assemble(text, table).equals(program)) throw new Error("expected the same program back");
  const [written, read, hashed] = (
    await medians(
      [() => disassemble(program, table, REGISTERS), () => assemble(text, table), () => hash(text)],
      {
        calls: 1,
      },
    )
  ).map((us) => (us * 1000) / INSTRUCTIONS);
  const row = (what, ours, budget) => ({
    name: `${what}: ${(1000 / ours).toFixed(1)} M instructions/s (yardstick: hashing the ${(text.length / INSTRUCTIONS).toFixed(1)} characters of each)`,
    ours,
    yardstick: hashed,
    ratio: ours / hashed,
    budget,
    unit: "ns",
    pass: ours / hashed <= budget,
  });
  return [row("disassemble", written, 5), row("assemble", read, 6)];
}

async function fileRows() {
  const random = generator(2);
  const programs = Array.from({ length: PROGRAMS }, () => randomProgram(SMALL, random));
  const bytes = Buffer.concat([...writeProgramFile(table, {}, programs)]);
  const [written, read, checked] = await medians(
    [
      () => [...writeProgramFile(table, {}, programs)],
      () => readProgramFile(bytes, table),
      () => crc32(bytes),
    ],
    { calls: 1 },
  );
  const row = (what, ours, budget) => ({
    name: `${what} a file of ${PROGRAMS} programs: ${(bytes.length / ours).toFixed(0)} MB/s (yardstick: zlib's CRC-32 of it)`,
    ours,
    yardstick: checked,
    ratio: ours / checked,
    budget,
    unit: "us",
    pass: ours / checked <= budget,
  });
  return [row("write", written, 12), row("read", read, 8)];
}

/** The FNV-1a hash of all characters. */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

/**
 * A program as in a search: mostly PTX instructions and inputs, some constants, stack operations and special
 * registers.
 */
function randomProgram(count, random) {
  const below = (limit) => Math.floor(random() * limit);
  const specials = Object.values(special);
  const make = [
    ...Array(10).fill(() => ptxInstruction(below(table.instructions.length))),
    ...Array(5).fill(() => input(below(REGISTERS.registers.length))),
    () => f32(random() * 10 - 5),
    () => f32(below(100) / 10),
    () => u32(below(1000)),
    () => meta(stacks.F32, ["dup", "swap", "rotate"][below(3)]),
    () => specials[below(specials.length)],
  ];
  return StackProgram.of(...Array.from({ length: count }, () => make[below(make.length)]()));
}
