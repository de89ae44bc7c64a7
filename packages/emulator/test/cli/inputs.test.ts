// The files that the command `mm-ptx-emulate` takes: fatbins, arrays of NumPy, and what it refuses.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { floats, SCALE } from "../support/scale.js";

const ARGS = ["--arg", "buffer=in.bin:out.bin", "--arg", "f32=2", "--arg", "bytes=pair.bin"];

let program: ProgramFolder;
beforeAll(() => {
  program = new ProgramFolder("packages/emulator/dist/cli/main.js");
  program.write("scale.ptx", SCALE);
  program.write("in.bin", floats(1, 2, 3, 4));
  program.write("pair.bin", floats(0, 0.5));
});
afterAll(() => program.remove());

const run = (...words: string[]) => program.run(words);

describe("a launch", () => {
  it("takes the PTX of a fatbin, and says what else it found", async () => {
    const fatbin = (kind: number, content: string) => {
      const data = Buffer.from(`${content}\0`);
      const bytes = Buffer.concat([Buffer.alloc(16 + 64), data]);
      bytes.writeUInt32LE(0xba55ed50, 0);
      bytes.writeUInt16LE(1, 4);
      bytes.writeUInt16LE(16, 6);
      bytes.writeBigUInt64LE(BigInt(64 + data.length), 8);
      bytes.writeUInt16LE(kind, 16);
      bytes.writeUInt32LE(64, 20);
      bytes.writeBigUInt64LE(BigInt(data.length), 24);
      bytes.writeUInt32LE(75, 16 + 28);
      return bytes;
    };
    program.write("scale.fatbin", fatbin(1, SCALE));
    program.write("machine.fatbin", fatbin(2, "SASS"));
    program.write("cut.fatbin", fatbin(1, SCALE).subarray(0, 60));
    expect((await run("scale.fatbin", "--block", "4", ...ARGS)).code).toBe(0);
    expect(new Uint8Array(readFileSync(program.path("out.bin")))).toEqual(floats(2.5, 4.5, 6.5, 8.5));
    expect((await run("machine.fatbin")).stderr).toContain(
      "`machine.fatbin`: expected PTX, found machine code for sm_75 alone: ",
    );
    expect((await run("cut.fatbin")).stderr).toMatch(
      /cut\.fatbin.*expected a fatbin as nvcc writes it, found a truncated entry/,
    );
  });

  it("reads and writes arrays of NumPy", async () => {
    const array = (header: string, values: Uint8Array) => {
      const text = `${header.padEnd(117)}\n`;
      const head = [0x93, ...Buffer.from("NUMPY"), 1, 0, text.length, 0, ...Buffer.from(text)];
      return Buffer.concat([Uint8Array.from(head), values]);
    };
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
    program.write("in.npy", array(header, floats(1, 2, 3, 4)));
    const words = (buffer: string) => [
      "scale.ptx",
      "--block",
      "4",
      "--npy",
      "--arg",
      buffer,
      ...ARGS.slice(2),
    ];
    expect((await run(...words("buffer=in.npy:out.npy"))).stderr).toContain("written out.npy (144 bytes)");
    expect(readFileSync(program.path("out.npy"))).toEqual(array(header, floats(2.5, 4.5, 6.5, 8.5)));
    expect((await run(...words("zeros=16:made.npy"), "--print", "f32")).stdout).toBe(
      "data: 0.5 0.5 0.5 0.5\n",
    );
    const made = readFileSync(program.path("made.npy"));
    expect(made.subarray(128)).toEqual(Buffer.from(floats(0.5, 0.5, 0.5, 0.5)));
    expect(made.toString("latin1", 10, 128).trimEnd()).toBe(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }",
    );
    program.write("big.npy", array(header.replace("<", ">"), floats(1, 2, 3, 4)));
    program.write("short.npy", array(header, floats(1, 2, 3)));
    program.write("cut.npy", array(header, floats(1)).subarray(0, 60));
    for (const [file, message] of [
      ["in.bin", "expected a NumPy array in `in.bin`, found another kind of file"],
      ["big.npy", "expected little-endian integers or floating-point numbers in `big.npy`, found `>f4`"],
      ["short.npy", "expected 16 bytes of numbers for the shape (2, 2) in `short.npy`, found 12"],
      ["cut.npy", "expected a header of 118 bytes in `cut.npy`, found 50 bytes"],
    ])
      expect((await run(...words(`buffer=${file}`))).stderr).toContain(message);
  });

  it("has no arguments of a program", async () => {
    const { code, stderr } = await run("scale.ptx", ...ARGS, "--", "--size");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "expected arguments only after a program, found `--size` after a file with kernels",
    );
  });
});
