// Random instruction tables: any number of stacks of any type, scalar and vector operands, long and short
// names.
import type { ArgType, SpecialRegister, StackInstruction, StackTable } from "@mm-ptx/types/core";
import type { Random } from "./random.js";

const PREFIXES = ["f32", "u32", "s32", "b16", "b32", "b64", "pred"] as const;
const MODIFIERS = [
  ".lo",
  ".approx",
  ".ftz",
  ".rn",
  ".sync",
  ".aligned",
  ".m16n8k16",
  ".row",
  ".col",
] as const;
const SPECIALS = ["tid", "laneid", "ctaid", "globaltimer_lo", "a_special_register_of_a_long_name"] as const;

export function randomTable(random: Random): StackTable {
  const stackTypes = random.list(random.between(1, random.once(4) ? 12 : 3), (index) => ({
    name: `S${index}`,
    literalPrefix: random.pick(PREFIXES),
  }));
  // A scalar and a vector of every stack, and a few more.
  const anyArgs = (stackIndex: number, index: number): ArgType => ({
    name: `A${index}`,
    stackIndex,
    vectorElements: random.once(2) ? 0 : random.between(1, 5),
  });
  const argTypes: ArgType[] = stackTypes.flatMap((_, stackIndex) => [
    { name: `scalar${stackIndex}`, stackIndex, vectorElements: 0 },
    anyArgs(stackIndex, stackIndex),
  ]);
  const onlyScalars = random.once(3);
  const oneStack = random.once(3);
  const scalars = argTypes.flatMap(({ vectorElements }, index) => (vectorElements === 0 ? [index] : []));
  const any = argTypes.map((_, index) => index);
  const instructions = random.list(random.once(30) ? 0 : random.between(1, 16), (index): StackInstruction => {
    // Most instructions of real tables have one to three scalars of one stack and one result.
    const common = random.once(2);
    const stackIndex = random.below(stackTypes.length);
    const from = common || oneStack ? [2 * stackIndex] : onlyScalars ? scalars : any;
    const args = random.list(common ? random.between(1, 3) : random.between(0, 4), () => random.pick(from));
    const results = random.list(common ? 1 : random.between(0, 2), () =>
      random.once(3) ? random.pick(common || onlyScalars ? scalars : any) : random.pick(from),
    );
    const modifiers = random.list(random.once(8) ? random.between(5, 12) : random.below(4), () =>
      random.pick(MODIFIERS),
    );
    return { ptx: `op${index}${modifiers.join("")}`, name: `op${index}`, args, results, aligned: false };
  });
  const forSpecials = any.filter((type) => argTypes[type]!.vectorElements <= 4);
  const specialRegisters = random.list(
    random.once(4) ? 0 : random.between(1, 6),
    (index): SpecialRegister => ({
      ptx: random.pick(SPECIALS),
      name: `special${index}`,
      argType: random.pick(forSpecials),
    }),
  );
  return { kind: "stack", stackTypes, argTypes, instructions, specialRegisters, fingerprint: "", bases: [] };
}
