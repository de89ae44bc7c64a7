// Memory stays flat, however many programs are evaluated. `MM_PTX_PROGRAMS` sets their number.

import { expect, it } from "vitest";
import { ptx, table } from "../packages/ast/dist/generated/f32.js";
import { AstCompiler, AstProgram, constantBits, input } from "../packages/ast/dist/index.js";
import { evaluateBatch } from "../packages/columns/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { CodeBuffer } from "../packages/types/dist/code/index.js";
import { SOAK } from "./support/counts.js";

const PROGRAMS = Number(process.env.MM_PTX_PROGRAMS ?? (SOAK ? 10_000_000 : 100_000));
const BATCH = 10_000;
const ROWS = 20;
const INPUTS = ["a", "b", "c"];
const LINES = 11;
const CONSTANT = constantBits(0).head;
const MEBIBYTE = 2 ** 20;

it(`is flat over ${PROGRAMS.toLocaleString("en")} programs`, { timeout: 3_600_000 }, async () => {
  const random = new Random(18);
  const instructions = Object.values(ptx).filter(({ head }) => head >>> 16 === 2);
  const leaf = () =>
    random.below(4) === 0
      ? constantBits(0x3f000000 + random.below(0x1000000))
      : input(random.below(INPUTS.length));
  const programOf = () =>
    AstProgram.of(
      leaf(),
      ...Array.from({ length: LINES }, () => [
        leaf(),
        instructions[random.below(instructions.length)]!,
      ]).flat(),
    );
  const columns = INPUTS.map(() => Float32Array.from({ length: ROWS }, () => random.below(1000) / 500 - 1));
  const target = Float32Array.from({ length: ROWS }, () => random.below(1000) / 1000);
  const compiler = new AstCompiler(table);
  const codes = new CodeBuffer();
  const job = { inputs: INPUTS, output: "z" };
  const batch = Array.from({ length: BATCH }, programOf);
  const sizes: number[] = [];
  for (let done = 0; done < PROGRAMS; done += BATCH) {
    codes.clear();
    // Other constants make programs that were not evaluated before.
    for (const { words } of batch) {
      for (let at = 0; at < words.length; at += 2) if (words[at] === CONSTANT) words[at + 1]! += done + 1;
    }
    for (const program of batch) compiler.compileToCode(program, job, codes);
    const { loss } = await evaluateBatch(codes, columns, { loss: { kind: "mse", target } });
    expect(loss!.length).toBe(BATCH);
    sizes.push(process.memoryUsage().rss);
  }
  // The heap grows to its usual size first.
  const tenth = Math.ceil(sizes.length / 10);
  const most = (from: number) => Math.round(Math.max(...sizes.slice(from, from + tenth)) / MEBIBYTE);
  const tenths = Array.from({ length: 10 }, (_, index) => most(index * tenth)).filter(Number.isFinite);
  expect(tenths.at(-1)! - tenths[1]!, `MiB: ${tenths}`).toBeLessThan(24);
  if (process.env.MM_PTX_PROGRAMS !== undefined) process.stderr.write(`MiB in each tenth: ${tenths}\n`);
});
