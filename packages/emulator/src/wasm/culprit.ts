// Searches for the instruction at which a translation fails, with translations that leave out instructions.
import type { Step } from "../control/step.js";
import type { Program } from "../program/program.js";
import type { InstructionPlace } from "../run/fault.js";

/**
 * Returns an instruction such that the translation fails with it, but succeeds without it and all later instructions of
 * the text, or `undefined` if no instruction does that.
 *
 * @param fails translates without the steps that it is given, and returns whether this fails
 */
export async function findCulprit(
  program: Program,
  fails: (isLeftOut: (step: Step) => boolean) => Promise<boolean>,
): Promise<InstructionPlace | undefined> {
  const places = program.functions.flatMap(({ instructions }, index) =>
    instructions.map((source, instruction) => ({ source, place: { function: index, instruction } })),
  );
  const numbers = new Map(places.map(({ source }, number) => [source, number]));
  // Steps without an instruction of the text, such as moved arguments, are always translated.
  const failsWith = (count: number) => fails(({ source }) => (numbers.get(source) ?? -1) >= count);
  if (await failsWith(0)) return undefined;
  let works = 0;
  let broken = places.length;
  while (broken - works > 1) {
    const middle = (works + broken) >> 1;
    if (await failsWith(middle)) broken = middle;
    else works = middle;
  }
  return places[works]?.place;
}
