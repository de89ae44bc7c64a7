// How the programs of a kernel can be packed: as alternatives of its sites if that is shown not to change what any of them computes.
import { canHaveFirst, findEntry, findInjections } from "./kernel.js";
import type { Axis, PackAnswer, PackQuestion } from "./question.js";

const AXES: readonly Axis[] = ["z", "y"];

export function choosePacking(question: PackQuestion): PackAnswer {
  const { module } = findEntry(question.annotated.markedText(), question.entry);
  const injections = findInjections(question.annotated, question.sites);
  return { kind: "alternatives", axis: AXES[0]!, hasFirst: canHaveFirst(module, injections) };
}
