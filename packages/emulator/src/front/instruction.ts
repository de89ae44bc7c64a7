// Checks an instruction: finds its row in the table, and checks its guard and operands.
import type { PtxOperation, PtxValue } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { type Match, type MatchedOperand, matchOpcode, nearestForms } from "../isa/match.js";
import { formsOf, instructionRows } from "../isa/table.js";
import { unsupported } from "../isa/unsupported.js";
import type { Operand } from "../program/operand.js";
import type { Instruction } from "../program/program.js";
import type { BranchChecker } from "./branch.js";
import { CallChecker } from "./call.js";
import { inProgram, type ModuleContext, meaningOf } from "./context.js";
import { hasShape, OperandChecker } from "./operand.js";
import { ProblemList } from "./problems.js";

/** The value of each operand of a row; undefined for an absent operand. */
type Arrangement = readonly (PtxValue | undefined)[];

const SINK: Operand = Object.freeze({ kind: "sink" });

/** Checks the instructions of a function. */
export class InstructionChecker {
  readonly #context: ModuleContext;
  readonly #operands: OperandChecker;
  readonly #calls: CallChecker;
  readonly #branches: BranchChecker;

  constructor(context: ModuleContext, branches: BranchChecker) {
    this.#context = context;
    this.#operands = new OperandChecker(context);
    this.#branches = branches;
    this.#calls = new CallChecker(context, this.#operands, branches);
  }

  /** The checked instruction; undefined, with problems reported, when it is invalid. */
  check(written: PtxOperation): Instruction | undefined {
    const { opcode, span } = written;
    const guard = this.#guard(written);
    const matches = this.#find(written);
    if (matches === undefined) return undefined;
    this.#operands.opcode = opcode;
    if (matches[0]!.form.mnemonic === "call") {
      const call = this.#calls.check(written);
      if (call === undefined || guard === null) return undefined;
      const { operation } = matches[0]!;
      return {
        operation,
        operands: [],
        guard,
        call,
        branchTargets: undefined,
        span: inProgram(this.#context, span),
      };
    }
    const chosen = this.#choose(matches, written);
    if (chosen === undefined) return undefined;
    const { match, arrangement } = chosen;
    const checked = this.#checkOperands(match, arrangement);
    if (checked === undefined || guard === null || !this.#hasTarget(match, written)) return undefined;
    return {
      operation: match.operation,
      ...checked,
      guard,
      call: undefined,
      span: inProgram(this.#context, span),
    };
  }

  /** The checked guard; null when it is invalid. */
  #guard({ guard }: PtxOperation): Instruction["guard"] | null {
    if (guard === undefined) return undefined;
    const meaning = meaningOf(this.#context, guard.name);
    if (meaning?.kind === "register" && meaning.type === "pred") {
      return { register: meaning.operand.register, negated: guard.negated };
    }
    if (meaning !== undefined && meaning.kind !== "mistaken") {
      this.#context.problems.expect("WRONG_TYPE", guard.name.span, "a predicate");
    }
    return null;
  }

  #find({ opcode, opcodeSpan }: PtxOperation): readonly Match[] | undefined {
    const matches = matchOpcode(opcode);
    if (matches.length > 0) return matches;
    const what = unsupported(opcode);
    if (what !== undefined) {
      const message = `expected an instruction that this emulator supports, found ${quoted(opcode)}: it does not support ${what}`;
      this.#context.problems.add("UNSUPPORTED", opcodeSpan, message);
      return undefined;
    }
    this.#reportOpcode(opcode, opcodeSpan);
    return undefined;
  }

  #reportOpcode(opcode: string, span: Span): void {
    const { problems } = this.#context;
    const [mnemonic, ...words] = opcode.split(".") as [string, ...string[]];
    const forms = formsOf(mnemonic);
    if (forms.length === 0) {
      const hint = didYouMean(mnemonic, [...instructionRows().keys()]);
      problems.add("UNKNOWN_INSTRUCTION", span, `expected an instruction, found ${quoted(opcode)}${hint}`);
      return;
    }
    const known = new Set(
      forms.flatMap(({ elements }) => elements.flatMap((element) => [...element.words.keys()])),
    );
    const unknown = words.find((word) => !known.has(word));
    if (unknown !== undefined) {
      const hint = didYouMean(
        `.${unknown}`,
        [...known].map((word) => `.${word}`),
      );
      const message = `expected a modifier or type of \`${mnemonic}\`, found ${quoted(`.${unknown}`)}${hint}`;
      problems.add("WRONG_MODIFIER", span, message);
      return;
    }
    const texts = [...new Set(nearestForms(opcode).map(({ text }) => `\`${text}\``))];
    problems.add("WRONG_MODIFIER", span, `expected ${texts.join(" or ")}, found ${quoted(opcode)}`);
  }

  /** Chooses the row whose operands have the shapes of the given values and, if there are several, their types. */
  #choose(
    matches: readonly Match[],
    { operands: written, opcodeSpan, span, opcode }: PtxOperation,
  ): { match: Match; arrangement: Arrangement } | undefined {
    const hasHandle = matches.some((match) => match.operands.some(({ form }) => form.handle));
    const operands = hasHandle ? written.flatMap(withoutBrackets) : written;
    let only: { match: Match; arrangement: Arrangement } | undefined;
    let count = 0;
    for (const match of matches) {
      const arrangement = arrange(match, operands);
      if (arrangement === undefined) continue;
      only = { match, arrangement };
      count++;
    }
    if (count === 1) return only;
    if (count > 1) {
      const fitting = matches.flatMap((match) => {
        const arrangement = arrange(match, operands);
        return arrangement === undefined ? [] : [{ match, arrangement }];
      });
      const quiet = new OperandChecker({ ...this.#context, problems: new ProblemList("") });
      const right = fitting.find(({ match, arrangement }) =>
        match.operands.every((matched, i) => {
          const value = arrangement[i];
          return value === undefined || isBranch(matched) || quiet.check(matched, value) !== undefined;
        }),
      );
      return right ?? fitting[0];
    }
    const { problems } = this.#context;
    let isRead = true;
    for (const operand of operands) {
      if (operand.kind !== "unknown") continue;
      problems.add("SYNTAX", operand.span, operand.message);
      isRead = false;
    }
    if (!isRead) return undefined;
    const texts = [...new Set(matches.map(({ form }) => `\`${form.text}\``))];
    const given = operands.length === 0 ? undefined : { start: operands[0]!.span.start, end: span.end };
    const expected = `operands as in ${texts.slice(0, 2).join(" or ")}`;
    if (given !== undefined) problems.expect("WRONG_OPERANDS", given, expected);
    else
      problems.add("WRONG_OPERANDS", opcodeSpan, `expected ${expected}, found none after ${quoted(opcode)}`);
    return undefined;
  }

  #checkOperands(
    match: Match,
    arrangement: Arrangement,
  ): Pick<Instruction, "operands" | "branchTargets"> | undefined {
    const operands: Operand[] = [];
    let branchTargets: readonly number[] | undefined;
    let isRight = true;
    for (let i = 0; i < match.operands.length; i++) {
      const matched = match.operands[i]!;
      const value = arrangement[i];
      if (value === undefined) {
        // Trailing operands that are absent are left out.
        if (arrangement.slice(i).every((one) => one === undefined) && !matched.form.paired) break;
        operands.push(SINK);
      } else if (matched.form.kind === "targets") {
        branchTargets = this.#branches.targets(value);
        isRight &&= branchTargets !== undefined;
      } else {
        const operand =
          matched.form.kind === "label" ? this.#branches.label(value) : this.#operands.check(matched, value);
        if (operand === undefined) isRight = false;
        else operands.push(operand);
      }
    }
    return isRight ? { operands, branchTargets } : undefined;
  }

  #hasTarget({ form }: Match, { opcode, opcodeSpan }: PtxOperation): boolean {
    const { target, version, problems } = this.#context;
    if (!(form.target > target || form.version > version)) return true;
    const lacks = [];
    if (form.target > target) lacks.push(`\`.target sm_${form.target}\` or later`);
    if (form.version > version) lacks.push(`\`.version ${form.version.toFixed(1)}\` or later`);
    problems.add(
      "TARGET_TOO_LOW",
      opcodeSpan,
      `expected ${lacks.join(" and ")} for \`${opcode}\`, found an earlier one`,
    );
    return false;
  }
}

/** A handle and coordinates in brackets are two values. */
const withoutBrackets = (value: PtxValue): readonly PtxValue[] =>
  value.kind === "address" && value.items.length > 1 ? value.items : [value];

const isBranch = ({ form: { kind } }: MatchedOperand): boolean => kind === "label" || kind === "targets";

/** Assigns the values to the operands of a row; undefined when their number or shapes do not fit. */
function arrange({ operands, least, most }: Match, values: readonly PtxValue[]): Arrangement | undefined {
  if (values.length < least || values.length > most) return undefined;
  let spare = values.length - least;
  let next = 0;
  const arranged: (PtxValue | undefined)[] = [];
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i]!;
    if (operand.form.optional && !operand.form.paired && spare-- <= 0) {
      arranged.push(undefined);
      continue;
    }
    const value = values[next++]!;
    const second = operands[i + 1]?.form.paired === true ? operands[i + 1] : undefined;
    if (second === undefined) {
      if (value.kind === "pair" || !hasShapeOrMistake(operand, value)) return undefined;
      arranged.push(value);
      continue;
    }
    i++;
    if (value.kind !== "pair" && (!second.form.optional || !hasShapeOrMistake(operand, value)))
      return undefined;
    if (value.kind === "pair")
      arranged.push(value.first, value.second.kind === "sink" ? undefined : value.second);
    else arranged.push(value, undefined);
  }
  return arranged;
}

/** A value that could not be read matches any shape, because its mistake has already been reported. */
function hasShapeOrMistake(operand: MatchedOperand, value: PtxValue): boolean {
  return value.kind === "unknown" || hasShape(operand, value);
}
