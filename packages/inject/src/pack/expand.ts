// Many programs in one kernel: a site becomes as many sites as requested, and a value that the kernel has at run time
// determines which of them a thread runs (`brx.idx`, PTX ISA 9.7.12.3). The assembler handles many such branches far
// faster than as many kernels, because a kernel's fixed cost is paid once.
import { comparePtxVersions, hasFeaturesOf, readModule } from "@mm-ptx/ptx";
import { describeValue, quoted } from "@mm-ptx/types/internal";
import { type AnnotatedPtx, parsePtx } from "../annotated-ptx.js";
import { MOST_ALTERNATIVES } from "../cuda/alternatives.js";
import { PtxInjectError } from "../error.js";
import type { Injection } from "../injection.js";
import { checkLength } from "../length.js";
import { markerText, type Operand } from "../marked/marker.js";
import { checkOptionNames } from "../options.js";
import { checkAnnotated } from "./argument.js";
import { BRANCH, type Needs, NONE_REGISTER, type Selector, selectorOf } from "./selector.js";

/** Options of `expandSites`. */
export interface ExpandOptions {
  /**
   * The source of the alternative's number: the name of an `in` or `mod` operand of the injection that has 32 bits and
   * is not a float; one of the special registers `%ctaid`, `%tid` and `%clusterid` with `.x`, `.y` or `.z`; or a
   * register of the kernel, such as `%choice`, that is a 32-bit integer and visible at all sites of the injection. The
   * default is `%ctaid.x`, the index of the block in its row.
   */
  readonly select?: string;
}

/** What is written to an output if no alternative runs, by the width of its type. */
const ZEROING: Readonly<Record<string, (register: string) => string>> = {
  16: (register) => `mov.b16 %${register}, 0;`,
  32: (register) => `mov.b32 %${register}, 0;`,
  64: (register) => `mov.b64 %${register}, 0;`,
  pred: (register) => `mov.pred %${register}, 0;`,
};

/**
 * Turns an injection into `count` alternatives: the result has injections `NAME_0` to `NAME_(count-1)` in
 * place of `NAME`, at each of its sites and with the same operands. At run time, each thread runs the
 * alternative that `select` chooses. All other text stays the same, and the result can be rendered, packed
 * and expanded again.
 *
 * Each alternative computes the same as on its own. If `select` is not below `count`, no alternative runs:
 * `out` operands are then zero, and `mod` operands keep their value. If threads of a warp choose different
 * alternatives, the warp diverges and runs them one after the other, so stubs with `.aligned` instructions or
 * barriers need the same choice in all participating threads.
 *
 * @throws PtxInjectError INJECTION_NAME_NOT_FOUND for an unknown name; INVALID_ARGUMENT for an argument of
 * the wrong kind, a `count` outside 1 to 65,536, or text of more than 500,000,000 characters;
 * INJECTION_ARG_NAME_NOT_FOUND if `select` is neither an operand nor a register, INVALID_SELECTOR for an
 * operand or a register that cannot choose; CANNOT_REPEAT if `NAME_0` or another of the new names exists, if an output
 * has a type that cannot be set to zero, or if the PTX version or target is too old for `brx.idx` (PTX 6.0,
 * sm_30) or `%clusterid` (PTX 7.8, sm_90)
 */
export function expandSites(
  annotated: AnnotatedPtx,
  name: string,
  count: number,
  options: ExpandOptions = {},
): AnnotatedPtx {
  checkAnnotated(annotated);
  const injection = annotated.injection(name);
  checkOptionNames("expandSites", options, ["select"]);
  const { select = "%ctaid.x" } = options;
  if (!Number.isInteger(count) || count < 1 || count > MOST_ALTERNATIVES) {
    const message = `expected 1 to ${MOST_ALTERNATIVES} alternatives, found ${describeValue(count)}`;
    throw new PtxInjectError("INVALID_ARGUMENT", message);
  }
  const selector = selectorOf(annotated, injection, select);
  checkNames(annotated, injection, count);
  checkNeeds(annotated.text, BRANCH, selector.needs);
  checkLength(
    `the text with ${count} alternatives of ${quoted(name)}`,
    annotated.text.length + injection.sites.length * lengthOf(injection, count, selector),
  );
  const { segments, holes } = annotated.template();
  const branch = branchText(injection, count, selector);
  const texts = annotated.injections.map((other) =>
    other === injection ? branch : markerText(other.name, other.operands),
  );
  return parsePtx(segments.map((segment, i) => segment + (texts[holes[i]!] ?? "")).join(""));
}

function checkNames(annotated: AnnotatedPtx, { name }: Injection, count: number): void {
  for (const other of annotated.injections) {
    const number = other.name.startsWith(`${name}_`) ? other.name.slice(name.length + 1) : "";
    if (!/^(0|[1-9]\d*)$/.test(number) || Number(number) >= count) continue;
    const message = `expected no injection of a name that the ${count} alternatives of ${quoted(name)} take, found ${quoted(other.name)}`;
    throw new PtxInjectError("CANNOT_REPEAT", message);
  }
}

function checkNeeds(text: string, ...needs: readonly Needs[]): void {
  // Both come before the first function.
  const { version, target } = readModule(text.split("{", 1)[0]!, { tolerant: true });
  for (const { what, ptx, target: least } of needs) {
    if (version !== undefined && comparePtxVersions(version, ptx) < 0) {
      const message = `expected PTX ${ptx} or later, which has \`${what}\`, found \`.version ${version}\``;
      throw new PtxInjectError("CANNOT_REPEAT", message);
    }
    if (target !== undefined && !hasFeaturesOf(target, least)) {
      const message = `expected a target from \`${least}\` on, which has \`${what}\`, found \`.target ${target}\``;
      throw new PtxInjectError("CANNOT_REPEAT", message);
    }
  }
}

/**
 * The text that replaces a site. All names are in a scope of their own, and each alternative has another scope inside,
 * so neither sites nor alternatives see each other's registers and labels.
 */
function branchText({ name, operands }: Injection, count: number, { register, setup }: Selector): string {
  const labels = Array.from({ length: count }, (_, i) => `$_alternative_${i}`);
  const alternatives = labels.map(
    (label, i) => `${label}:\n\t{\n${markerText(`${name}_${i}`, operands)}\n\t}\n\tbra $_done;`,
  );
  return [
    "\t{",
    `\t.reg .pred ${NONE_REGISTER};`,
    ...setup,
    `\tsetp.ge.u32 ${NONE_REGISTER}, ${register}, ${count};`,
    `\t@${NONE_REGISTER} bra $_none;`,
    `$_alternatives: .branchtargets ${labels.join(", ")};`,
    `\tbrx.idx ${register}, $_alternatives;`,
    ...alternatives,
    "$_none:",
    ...operands.filter(({ direction }) => direction === "out").map((operand) => `\t${zeroing(operand)}`),
    "$_done:",
    "\t}",
  ].join("\n");
}

/** An upper bound of the length of `branchText`. */
function lengthOf(injection: Injection, count: number, selector: Selector): number {
  const [one, two] = [1, 2].map((few) => branchText(injection, few, selector).length) as [number, number];
  // Each alternative contains its number three times: in its label, in the branch's list, and in its name.
  return one + count * (two - one + 3 * String(count).length);
}

function zeroing({ name, register, registerType }: Operand): string {
  const [, bits, pair] = /^[busf]?f?(\d+)(x2)?$/.exec(registerType) ?? [];
  const zero = ZEROING[bits === undefined ? registerType : Number(bits) * (pair === undefined ? 1 : 2)];
  if (zero !== undefined) return zero(register);
  const message = `expected outputs of 16, 32 or 64 bits, found ${quoted(name)} of type \`${registerType}\``;
  throw new PtxInjectError("CANNOT_REPEAT", message);
}
