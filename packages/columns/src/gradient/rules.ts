// The derivatives of instructions. Rounding and flushing count as identities.
import { operationParts } from "@mm-ptx/types/code";
import { Rule } from "./layout.js";

/** Rules of f32 instructions by name, with any rounding. */
const FLOAT_RULES: ReadonlyMap<string, Rule> = new Map([
  ["mov", Rule.identity],
  ["add", Rule.add],
  ["sub", Rule.sub],
  ["mul", Rule.mul],
  ["mad", Rule.fma],
  ["fma", Rule.fma],
  ["div", Rule.div],
  ["neg", Rule.neg],
  ["abs", Rule.abs],
  ["min", Rule.extremum],
  ["max", Rule.extremum],
  ["copysign", Rule.copysign],
  ["rcp", Rule.rcp],
  ["sqrt", Rule.sqrt],
  ["rsqrt", Rule.rsqrt],
  ["sin", Rule.sin],
  ["cos", Rule.cos],
  ["lg2", Rule.lg2],
  ["ex2", Rule.ex2],
  ["tanh", Rule.tanh],
  ["selp", Rule.select],
]);

/** Names whose results are predicates of comparisons. */
const COMPARISONS: ReadonlySet<string> = new Set(["setp", "testp"]);
const PLAIN_CHOICES: ReadonlySet<string> = new Set(["", "NaN"]);

/** The rule for the derivative of an operation. */
export function derivativeRule(word: number): Rule {
  const { name, types, rounding, saturation, rectify, choice, flush } = operationParts(word);
  if (COMPARISONS.has(name)) return Rule.constant;
  if (saturation !== "" || rectify || !PLAIN_CHOICES.has(choice)) return Rule.none;
  const [to = "", from = ""] = types;
  if (name === "slct" && (to === "f32" || to === "b32")) {
    if (from === "s32") return Rule.selectByInteger;
    return flush ? Rule.selectByFlushedSign : Rule.selectBySign;
  }
  if (name === "cvt")
    return to === "f32" && from === "f32" && !rounding.endsWith("i") ? Rule.identity : Rule.none;
  if (types.length !== 1) return Rule.none;
  const isMove = name === "mov" || name === "selp";
  return to === "f32" || (isMove && to === "b32") ? (FLOAT_RULES.get(name) ?? Rule.none) : Rule.none;
}
