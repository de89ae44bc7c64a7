// The value that chooses between the alternatives of a site at run time: an operand, a special register, or a register
// of the kernel.
import { readModule } from "@mm-ptx/ptx";
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import type { AnnotatedPtx } from "../annotated-ptx.js";
import { PtxInjectError } from "../error.js";
import type { Injection } from "../injection.js";
import type { Operand } from "../marked/marker.js";

/** The PTX version and target that a feature needs. */
export interface Needs {
  readonly what: string;
  readonly ptx: string;
  readonly target: string;
}

/** PTX ISA 9.7.12.3. */
export const BRANCH: Needs = { what: "brx.idx", ptx: "6.0", target: "sm_30" };
/** PTX ISA 10.14. */
const CLUSTERS: Needs = { what: "%clusterid", ptx: "7.8", target: "sm_90" };

/** The predicate that the branch declares, which hides a register of the kernel with the same name. */
export const NONE_REGISTER = "%_none";

/**
 * The register that contains the number of the alternative, the lines that set it, and the requirements of these lines.
 */
export interface Selector {
  readonly register: string;
  readonly setup: readonly string[];
  readonly needs: Needs;
}

/**
 * Special registers that can distinguish threads, all of type u32, and their requirements besides those of the branch.
 */
const SPECIAL_REGISTERS: ReadonlyMap<string, Needs> = new Map(
  Object.entries({ "%ctaid": BRANCH, "%tid": BRANCH, "%clusterid": CLUSTERS }).flatMap(([name, needs]) =>
    ["x", "y", "z"].map((axis) => [`${name}.${axis}`, needs]),
  ),
);

/** Types that `brx.idx` accepts as index. */
const INDEX_TYPES: readonly (string | undefined)[] = ["u32", "s32", "b32"];

/** @throws PtxInjectError INVALID_ARGUMENT, INJECTION_ARG_NAME_NOT_FOUND or INVALID_SELECTOR */
export function selectorOf(annotated: AnnotatedPtx, injection: Injection, select: unknown): Selector {
  const fitting = injection.operands.filter(canSelect).map(({ name }) => name);
  const known = [...fitting, ...SPECIAL_REGISTERS.keys()];
  const list = [...known.map(quoted), "or a 32-bit integer register that is visible at all its sites"];
  const fail = (code: PtxInjectError["code"], found: string): never => {
    const expected = `expected a selector for ${quoted(injection.name)} (${list.join(", ")})`;
    throw new PtxInjectError(code, `${expected}, found ${found}`);
  };
  if (typeof select !== "string") return fail("INVALID_ARGUMENT", describeValue(select));
  const needs = SPECIAL_REGISTERS.get(select);
  if (needs !== undefined) {
    const setup = ["\t.reg .u32 %_choice;", `\tmov.u32 %_choice, ${select};`];
    return { register: "%_choice", setup, needs };
  }
  const named = injection.operands.find((operand) => operand.name === select);
  if (named !== undefined) {
    if (canSelect(named)) return { register: `%${named.register}`, setup: [], needs: BRANCH };
    const { name, direction, registerType } = named;
    return fail(
      "INVALID_SELECTOR",
      `the \`${direction}\` operand ${quoted(name)} of type \`${registerType}\``,
    );
  }
  const types = select.startsWith("%") ? registerTypes(annotated, injection, select) : [];
  if (types.every((type) => type === undefined))
    return fail("INJECTION_ARG_NAME_NOT_FOUND", `${describeValue(select)}${didYouMean(select, known)}`);
  if (select === NONE_REGISTER)
    return fail("INVALID_SELECTOR", `${quoted(select)}, a name that the branch uses itself`);
  const hidden = types.indexOf(undefined);
  if (hidden !== -1) {
    const { line } = injection.sites[hidden]!;
    return fail("INVALID_SELECTOR", `the register ${quoted(select)}, which is not visible at line ${line}`);
  }
  const wrong = types.find((type) => !INDEX_TYPES.includes(type));
  if (wrong !== undefined)
    return fail("INVALID_SELECTOR", `the register ${quoted(select)} of type \`${wrong}\``);
  return { register: select, setup: [], needs: BRANCH };
}

const canSelect = ({ direction, registerType }: Operand): boolean =>
  direction !== "out" && INDEX_TYPES.includes(registerType);

/** The type of a register at each site of an injection; `undefined` where it is not visible. */
function registerTypes(
  { text }: AnnotatedPtx,
  { sites }: Injection,
  register: string,
): readonly (string | undefined)[] {
  const module = readModule(text, { tolerant: true });
  return sites.map(({ span }) => {
    const meaning = module.names.meaningIn(module.scopeAt(span.start), register);
    if (meaning?.kind !== "register") return undefined;
    const declared = module.variables(meaning.statement).find(({ name }) => name === meaning.name);
    return declared?.vector === 1 ? (declared.type ?? "") : `v${declared?.vector}`;
  });
}
