// Comparisons and selections (PTX ISA, Comparison and Selection Instructions).
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import { flush } from "./float.js";
import type { Select } from "./select.js";

/** Integer comparisons. The signedness is appended where it matters. */
const OF_INTEGERS: Readonly<Record<string, string>> = {
  ...{ eq: "eq", ne: "ne", lt: "lt", le: "le", gt: "gt", ge: "ge" },
  ...{ lo: "lt", ls: "le", hi: "gt", hs: "ge" },
};

/** Float comparisons. Those with an exclamation mark negate the comparison after it. */
const OF_FLOATS: Readonly<Record<string, string>> = {
  ...{ eq: "eq", lt: "lt", le: "le", gt: "gt", ge: "ge", neu: "ne" },
  ...{ equ: "!neither", ltu: "!ge", leu: "!gt", gtu: "!le", geu: "!lt", ne: "neither" },
};

/** Emits the comparison of two sources after they were pushed; undefined when it is not translated. */
function comparison(step: Step): ((emitter: Emitter) => void) | undefined {
  const has = step.operation.words;
  const type = step.operation.types.at(-1)!;
  const { class: kind } = TYPES[type];
  if (kind === "float") {
    const name = Object.keys(OF_FLOATS).find((word) => has.has(word));
    if (name === undefined || (type !== "f32" && type !== "f64")) return undefined;
    const negated = OF_FLOATS[name]!.startsWith("!");
    const of = OF_FLOATS[name]!.replace("!", "");
    return ({ code }) => {
      if (of === "neither") {
        code.scratch(type, (a) => {
          code.scratch(type, (b) => {
            code.set(b).tee(a).get(b).op(`${type}.lt`).get(a).get(b).op(`${type}.gt`).op("i32.or");
          });
        });
      } else code.op(`${type}.${of}` as Opcode);
      if (negated) code.op("i32.eqz");
    };
  }
  const name = Object.keys(OF_INTEGERS).find((word) => has.has(word));
  if (name === undefined) return undefined;
  const of = OF_INTEGERS[name]!;
  const sign = of === "eq" || of === "ne" ? "" : isSigned(type) ? "_s" : "_u";
  const op = `${stackType(type)}.${of}${sign}` as Opcode;
  return ({ code }) => void code.op(op);
}

const COMBINATIONS = ["and", "or", "xor"] as const;

/** `setp.cmp{.bool}{.ftz}.type p|q, a, b{, c}` */
const setPredicate: Select = (step) => {
  const compare = comparison(step);
  if (compare === undefined) return undefined;
  const has = step.operation.words;
  const combination = COMBINATIONS.find((word) => has.has(word));
  return (emitter, it) => {
    const { code } = emitter;
    const first = it.operation.results;
    const pushResult = (negated: boolean) => {
      for (const source of [first, first + 1]) {
        emitter.push(it, source);
        if (has.has("ftz")) flush(emitter);
      }
      compare(emitter);
      if (negated) code.op("i32.eqz");
      if (combination === undefined) return;
      emitter.push(it, first + 2);
      code.op(`i32.${combination}`);
    };
    if (it.operation.results === 1 || it.source.operands[1]!.kind === "sink") {
      emitter.assign(it, 0, "i32", () => pushResult(false));
      return;
    }
    // Both results are computed before either is written, because one of them may be a source.
    code.scratch("i32", (second) => {
      pushResult(true);
      code.set(second);
      emitter.assign(it, 0, "i32", () => pushResult(false));
      emitter.assign(it, 1, "i32", () => code.get(second));
    });
  };
};

/** `selp.type d, a, b, c`: copies the bits unchanged. */
const select: Select = (step) => {
  if (TYPES[step.operation.types[0]!].bits > 64) return undefined;
  return (emitter, it) => {
    const [result, a, b] = it.source.operands;
    if (result!.kind !== "register") return;
    const register = it.context.registerBase + result!.register;
    const as = emitter.facts.types[register]!;
    const observed = emitter.facts.anyNaN[register] === 0;
    emitter.assign(it, 0, as, () => {
      emitter.pushBits(it, a!, as, observed);
      emitter.pushBits(it, b!, as, observed);
      emitter.push(it, 3);
      emitter.code.op("select");
    });
  };
};

/** Comparisons and selections by name. */
export const COMPARE: Readonly<Record<string, Select>> = { setp: setPredicate, selp: select };
