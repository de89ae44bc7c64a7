// What a search says about its elites is true elsewhere: they compute the same in their kernel on the emulator, and as C.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { evaluateBatch } from "../packages/columns/dist/index.js";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import { input, KernelPipeline, output, stackSite } from "../packages/pipeline/dist/index.js";
import {
  columnsEvaluator,
  evolve,
  exportGenome,
  type Genome,
  gridArchive,
  measures,
  Search,
  stackSpace,
} from "../packages/search/dist/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { StackProgram } from "../packages/stack/dist/index.js";
import { CodeBuffer } from "../packages/types/dist/code/index.js";
import { cases } from "./support/counts.js";

const KERNEL = `.version 8.0
.target sm_75
.address_size 64
.visible .entry apply(.param .u64 xs, .param .u64 zs)
{
	.reg .b32 %thread;
	.reg .f32 %x, %z;
	.reg .b64 %xs, %zs;
	mov.u32 %thread, %tid.x;
	ld.param.u64 %xs, [xs];
	ld.param.u64 %zs, [zs];
	mad.wide.u32 %xs, %thread, 4, %xs;
	mad.wide.u32 %zs, %thread, 4, %zs;
	ld.f32 %x, [%xs];
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %x;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %z, %_x0;
	}
	st.f32 [%zs], %z;
	ret;
}
`;
const ROWS = 128;
const EXACT = [
  "add.rn.f32",
  "sub.rn.f32",
  "mul.rn.f32",
  "fma.rn.f32",
  "div.rn.f32",
  "sqrt.rn.f32",
  "min.f32",
  "max.f32",
];
const APPROXIMATE = ["tanh.approx.f32", "ex2.approx.ftz.f32", "rcp.approx.ftz.f32", "sin.approx.ftz.f32"];

const x = Float32Array.from({ length: ROWS }, (_, row) => (row - 50) / 16);
const target = Float64Array.from(x, (value) => Math.tanh(value) * value);

/** A search whose archive has programs of all lengths. */
async function searched(instructions: readonly string[]) {
  const { operands } = parsePtx(KERNEL).injection("func")!;
  const space = stackSpace(table, { operands, instructions, maxLength: 24 });
  const search = new Search({
    space,
    archive: gridArchive({
      axes: [
        { name: "instructions", min: 0, max: 12 },
        { name: "constants", min: 0, max: 4 },
      ],
    }),
    emitters: [evolve()],
    evaluator: columnsEvaluator({
      ...{ space, columns: [x], loss: { kind: "mse", target } },
      measures: [measures.instructions(), measures.constants()],
      tuning: [{ method: "es", iterations: 10, within: 2 }],
    }),
    ...{ seed: 1, batchSize: 200 },
  });
  for await (const event of search.run({ evaluations: cases(20_000) })) void event;
  const { genomes, objective } = search.archive.rows();
  const elites: Genome[] = Array.from(objective, (_, elite) => ({
    words: genomes.words.slice(genomes.offsets[elite], genomes.offsets[elite + 1]),
    start: 0,
    end: genomes.offsets[elite + 1]! - genomes.offsets[elite]!,
  }));
  const codes = new CodeBuffer();
  for (const elite of elites) space.compile(elite, codes);
  const { outputs } = await evaluateBatch(codes, [x], { outputs: true });
  const expected = elites.map((_, elite) => bitsOf(outputs!.column(elite) as Float32Array));
  return { space, elites, expected };
}

const bitsOf = (values: Float32Array): number[] => [...new Uint32Array(values.slice().buffer)];

it("elites compute the same in their kernel on the emulator", { timeout: 120_000 }, async () => {
  const { elites, expected } = await searched([...EXACT, ...APPROXIMATE]);
  expect(elites.length).toBeGreaterThan(30);
  using device = EmulatedDevice.open();
  using pipeline = new KernelPipeline({
    ...{ kernel: KERNEL, device, sites: { func: stackSite(table) } },
    launch: () => ({ grid: 1, block: ROWS, args: [input(x), output(Float32Array, ROWS)] }),
  });
  const programs = elites.map(({ words }) => StackProgram.fromWords(words));
  let answered = 0;
  for await (const { index, status, outputs } of pipeline.run(programs, { ordered: true })) {
    expect(status).toBe("ok");
    expect(bitsOf(outputs![0] as Float32Array), `elite ${index}`).toEqual(expected[index]);
    answered++;
  }
  expect(answered).toBe(elites.length);
});

const HAS_COMPILER = spawnSync("gcc", ["--version"]).status === 0;

it.runIf(HAS_COMPILER)(
  "elites of exact instructions compute the same as C",
  { timeout: 120_000 },
  async () => {
    const { space, elites, expected } = await searched(EXACT);
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-elites-"));
    try {
      const files = elites.map((elite, index) => {
        const file = join(folder, `elite${index}.c`);
        writeFileSync(file, exportGenome(space, elite, "c", { name: `elite${index}` }));
        return file;
      });
      const bits = [...new Uint32Array(x.buffer)].map((word) => `${word}u`).join(", ");
      writeFileSync(
        join(folder, "main.c"),
        `#include <stdint.h>\n#include <stdio.h>\n#include <string.h>
${elites.map((_, index) => `float elite${index}(float);`).join("\n")}
static const uint32_t inputs[] = {${bits}};
static float (*const elites[])(float) = {${elites.map((_, index) => `elite${index}`).join(", ")}};
int main(void) {
  for (int e = 0; e < ${elites.length}; e++)
    for (int row = 0; row < ${ROWS}; row++) {
      float x;
      uint32_t result;
      memcpy(&x, &inputs[row], 4);
      x = elites[e](x);
      memcpy(&result, &x, 4);
      printf("%u\\n", result);
    }
  return 0;
}
`,
      );
      const program = join(folder, "main");
      execFileSync("gcc", [
        "-std=c99",
        "-O1",
        "-ffp-contract=off",
        "-o",
        program,
        join(folder, "main.c"),
        ...files,
        "-lm",
      ]);
      const found = execFileSync(program, { encoding: "utf8" }).trim().split("\n").map(Number);
      const different = expected.flatMap((words, elite) =>
        words.flatMap((word, row) =>
          found[elite * ROWS + row] === word ? [] : [{ elite, row, word, found: found[elite * ROWS + row] }],
        ),
      );
      expect(different).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
