// Listings of a kernel with all kinds of instructions, as the disassembler printed them, with the pipe and the clocks of each
// instruction in front. They need neither a compiler nor a disassembler.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readInstruction } from "../../src/cost/instruction.js";
import { costOfListing } from "../../src/cost/sass-cost.js";
import { clocksOf } from "../../src/cost/tally.js";
import { familyOf, pipeOf } from "../../src/cost/throughput.js";

const FOLDER = new URL("listings/", import.meta.url);

test.each(readdirSync(FOLDER))("%s: every instruction has its pipe and clocks, and they add up", (file) => {
  const arch = file.replace(".txt", "");
  const family = familyOf(arch);
  const lines = readFileSync(new URL(file, FOLDER), "utf8").trimEnd().split("\n");
  const read = lines.map((line) => {
    const [, pipe, clocks, text] = /^(\w+) (\S+) +(.+)$/.exec(line)!;
    return { pipe: pipe!, clocks: clocks!, text: text! };
  });
  for (const { pipe, clocks, text } of read) {
    const instruction = readInstruction(text);
    const found = `${pipeOf(instruction.kind)} ${clocksOf(instruction, family) ?? "-"}`;
    expect(found, text).toBe(`${pipe} ${clocks}`);
  }
  const instructions = read.map(({ text }, i) => ({ offset: 16 * i, text, labels: [] }));
  const listing = [{ name: "mixed", instructions }];
  const { functions } = costOfListing(listing, { arch, kernels: [], functions: [], sections: [] }, undefined);
  const [cost] = functions;
  const clocksOfPipe = (pipe: string): number =>
    read.reduce((sum, each) => sum + (each.pipe === pipe ? Number(each.clocks.replace("-", "0")) : 0), 0);
  for (const [pipe, clocks] of Object.entries(cost!.clocks)) expect(clocks, pipe).toBe(clocksOfPipe(pipe));
  for (const [pipe, count] of Object.entries(cost!.counts))
    expect(count, pipe).toBe(read.filter((each) => each.pipe === pipe).length);
  expect([cost!.instructions, cost!.bytes]).toEqual([read.length, 16 * read.length]);
  expect(cost!.issueSlots).toBe(Math.max(read.length, ...Object.values(cost!.clocks)));
  expect([cost!.other, cost!.unrated]).toEqual([{}, {}]);
});

test("unknown opcodes and matrix instructions without a rate are listed", () => {
  const texts = ["FROB.X R0", "FROB.X R1", "GLORP", "HGMMA.64x128x16.F32 R0, gdesc[UR4], R0", "EXIT"];
  const instructions = texts.map((text, i) => ({ offset: 16 * i, text, labels: [] }));
  const inspection = { arch: "sm_90a", kernels: [], functions: [], sections: [] };
  const [cost] = costOfListing([{ name: "k", instructions }], inspection, undefined).functions;
  expect(cost).toMatchObject({
    instructions: 5,
    issueSlots: 5,
    limit: "issue",
    counts: { other: 3, tensor: 1, control: 1 },
    other: { "FROB.X": 2, GLORP: 1 },
    unrated: { "HGMMA.64x128x16.F32": 1 },
  });
});
