// Scores of programs whose outputs are given.
import type { Device, TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { output } from "../../../src/index.js";
import { ELEMENTS } from "../../../src/launch/elements.js";
import { openReduction } from "../../../src/reading/open.js";
import type { ScoreReading } from "../../../src/reading/reading.js";

/** The classes of outputs. */
export const CLASSES = Object.values(ELEMENTS);

const classOf = (data: TypedArray): TypedArrayClass<TypedArray> =>
  data.constructor as unknown as TypedArrayClass<TypedArray>;

/** The outputs of a launch plan that has arrays like these. */
export const planOf = (arrays: readonly TypedArray[]) =>
  arrays.map((data) => output(classOf(data), data.length));

/** Memory with the outputs of programs; `programs[i][j]` is output j of program i. Everything between them is NaN. */
export async function memoryOf(device: Device, programs: readonly (readonly TypedArray[])[], padding = 0) {
  return Promise.all(
    planOf(programs[0]!).map(async ({ bytes }, index) => {
      const stride = (Math.ceil(bytes / 8) + padding) * 8;
      const buffer = device.allocate(stride * programs.length);
      await buffer.fill(0xff);
      for (const [at, program] of programs.entries())
        await buffer.copyFrom(program[index]!, { offset: at * stride });
      return { buffer, stride };
    }),
  );
}

/** The scores of these programs. */
export async function scoresOf(
  device: Device,
  reading: ScoreReading,
  programs: readonly (readonly TypedArray[])[],
  padding = 0,
): Promise<readonly (number | string)[]> {
  using reduction = await openReduction(reading, device, planOf(programs[0]!));
  const memory = await memoryOf(device, programs, padding);
  const scores = await reduction.scores(memory, programs.length);
  for (const { buffer } of memory) buffer.dispose();
  return scores;
}
