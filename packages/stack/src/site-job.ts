// From the operands of an injection site to the job of a compile.
import type { SiteOperand, StackTable } from "@mm-ptx/types/core";
import { describeValue, didYouMean, quoted, readSiteOperands } from "@mm-ptx/types/internal";
import { checkOptionNames, checkTable } from "./arguments.js";
import { StackPtxError } from "./error.js";
import type { StackCompileJob } from "./job.js";
import { register } from "./register.js";

/** Options of `siteJob`. */
export interface SiteJobOptions {
  /**
   * The stacks of type tokens for which neither a stack's name nor the register type determines one: `{ DOG: "F32" }`
   * puts operands of type `DOG` on stack `F32`. An entry also replaces the stack that would be found without it. Tokens
   * that no operand has are ignored, so that one object serves all sites.
   */
  readonly types?: Readonly<Record<string, string>>;
}

/**
 * The job of a stub for an injection site.
 *
 * The registers are those of all operands, in their order: `input(0)` reads the first operand. The requests are the `mod`
 * operands, then the `out` operands, each in their order: the first one receives the top of its stack.
 *
 * An operand's values are on the stack whose name is the operand's type token, or equals it when case is ignored, or
 * otherwise on the only stack of its register type.
 *
 * @param operands such as `annotated.injection("func").operands` of `@mm-ptx/inject`
 * @throws StackPtxError INVALID_ARGUMENT when several stacks or no stack would hold an operand, and for arguments of the
 * wrong kind
 */
export function siteJob(
  table: StackTable,
  operands: readonly SiteOperand[],
  options: SiteJobOptions = {},
): StackCompileJob {
  checkTable(table);
  const stackOf = stackFinder(table, options);
  const read = readSiteOperands(operands, refuse);
  const requestsOf = (direction: SiteOperand["direction"]): number[] =>
    read.flatMap((operand, index) => (operand.direction === direction ? [index] : []));
  return Object.freeze({
    registers: Object.freeze(read.map((operand) => register(operand, stackOf(operand)))),
    requests: Object.freeze([...requestsOf("mod"), ...requestsOf("out")]),
  });
}

/** The function that finds the index of an operand's stack. */
function stackFinder({ stackTypes }: StackTable, options: SiteJobOptions): (operand: SiteOperand) => number {
  const chosen = chosenStacks(stackTypes, options);
  return ({ name, type, registerType }) => {
    const exact = chosen.get(type) ?? stackTypes.findIndex((stack) => stack.name === type);
    if (exact !== -1) return exact;
    const lower = type.toLowerCase();
    const named = indices(stackTypes, (stack) => stack.name.toLowerCase() === lower);
    const found =
      named.length > 0 ? named : indices(stackTypes, (stack) => stack.literalPrefix === registerType);
    if (found.length === 1) return found[0]!;
    const candidates = found.length > 0 ? found.map((index) => stackTypes[index]!) : stackTypes;
    const names = candidates.map((stack) => quoted(stack.name)).join(", ");
    throw refuse(
      `expected one stack for operand ${quoted(name)} of type ${quoted(type)} (register type ${quoted(registerType)}), ` +
        `found ${found.length > 0 ? "several" : "none among"} ${names}: choose one with \`types\``,
    );
  };
}

/** The stack of each type token that the caller decides, by index. */
function chosenStacks(
  stackTypes: StackTable["stackTypes"],
  options: SiteJobOptions,
): ReadonlyMap<string, number> {
  checkOptionNames(options, ["types"]);
  const { types = {} } = options;
  if (Object.prototype.toString.call(types) !== "[object Object]") {
    throw refuse(`expected \`types\` as an object from type tokens to stacks, found ${describeValue(types)}`);
  }
  return new Map(
    Object.entries(types).map(([type, name]): [string, number] => {
      const index = stackTypes.findIndex((stack) => stack.name === name);
      if (index !== -1) return [type, index];
      const known = stackTypes.map((stack) => stack.name);
      const hint = typeof name === "string" ? didYouMean(name, known) : "";
      throw refuse(
        `expected the name of a stack of the table for type ${quoted(type)}, found ${describeValue(name)}${hint}`,
      );
    }),
  );
}

function indices<Item>(list: readonly Item[], isWanted: (item: Item) => boolean): number[] {
  return list.flatMap((item, index) => (isWanted(item) ? [index] : []));
}

const refuse = (message: string): StackPtxError => new StackPtxError("INVALID_ARGUMENT", message);
