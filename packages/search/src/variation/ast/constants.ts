// Operators that change constants and leave the tree as it is.
import type { Draws } from "../../draws.js";
import { AstWord } from "../../spaces/ast-layout.js";
import { lengthOf } from "./draft.js";
import type { AstChange, AstMaterial } from "./operator.js";

/** The word with the bits of a random constant of the draft, or -1. */
function randomConstant(
  { draft: { room, start, end }, places }: AstMaterial,
  draws: Draws,
  except = -1,
): number {
  let count = 0;
  // Every word is written to the list, because processors cannot predict which of them are constants.
  for (let at = start; at < end; at += AstWord.perInstruction) {
    places[count] = at + 1;
    count += room[at] === AstWord.constant && at + 1 !== except ? 1 : 0;
  }
  return count === 0 ? -1 : places[draws.below(count)]!;
}

/** An operator that changes the bits of one constant. */
const changing =
  (change: (material: AstMaterial, bits: number, draws: Draws, at: number) => number): AstChange =>
  (material, parent, _other, draws) => {
    const { draft } = material;
    draft.copy(parent, 0, lengthOf(parent));
    const at = randomConstant(material, draws);
    if (at < 0) return false;
    const bits = draft.room[at]!;
    const changed = change(material, bits, draws, at);
    draft.room[at] = changed;
    return changed !== bits;
  };

export const stepConstant: AstChange = changing(({ constants }, bits, draws) => constants.step(bits, draws));
export const jumpConstant: AstChange = changing(({ constants }, bits, draws) => constants.jump(bits, draws));
export const roundConstant: AstChange = changing(({ constants }, bits, draws) =>
  constants.round(bits, draws),
);

/** A copy of another constant of the program. */
export const cloneConstant: AstChange = changing((material, bits, draws, at) => {
  const from = randomConstant(material, draws, at);
  return from < 0 ? bits : material.draft.room[from]!;
});
