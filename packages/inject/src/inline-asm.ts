// The asm statement of a site, for programs that write CUDA themselves: with a marker, to be compiled once and rendered
// often, or with the stub itself, to be compiled as it is.
import type { InjectType, InjectTypes } from "@mm-ptx/types/core";
import {
  type Checks,
  describeValue,
  didYouMean,
  isAnything,
  isBoolean,
  quoted,
  withoutFinalNul,
} from "@mm-ptx/types/internal";
import { binding, escaped, frameOf } from "./cuda/asm.js";
import { expressionProblem } from "./cuda/expression.js";
import { canonicalOrder, DIRECTIONS, nameProblem, type TypedOperand } from "./cuda/operand.js";
import { PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import type { Direction } from "./marked/marker.js";
import { checkOptions, checkTypes } from "./options.js";
import { checkStructure } from "./render/structure.js";

/** An operand of a site to be written. */
export interface InlineAsmOperand {
  /** The operand's name in the site; also the variable, if there is no `expression`. */
  readonly name: string;
  readonly direction: Direction;
  /** A type of the description, for example `F32`. */
  readonly type: string;
  /** The expression that asm binds, for example `x[0]`. */
  readonly expression?: string;
}

/** A site to be written. */
export interface InlineAsmSite {
  readonly name: string;
  /** The operands in any order; registers are numbered mod, out, in. */
  readonly operands: readonly InlineAsmOperand[];
}

/** Options of `inlineAsm`. */
export interface InlineAsmOptions {
  /** The types that operands may have; by default those of the default inject description. */
  readonly types?: InjectTypes;
  /** PTX that replaces the marker; its operands are `%_x0`, `%_x1`, … */
  readonly stub?: string;
  /** The statement is kept even if nothing uses its results, and it is not duplicated or reordered. */
  readonly volatile?: boolean;
  /** The statement reads or writes memory: loads and stores are not moved across it. */
  readonly memory?: boolean;
}

/** The types and the stub are checked where they are used. */
const OPTIONS: Checks = { types: isAnything, stub: isAnything, volatile: isBoolean, memory: isBoolean };

/**
 * Returns the asm statement of a site, with one line of PTX per line and without a line end after the last one:
 * ```
 * asm("{\n\t"
 *     ".reg .f32 %%_x0;\n\t"
 *     …
 *     "}"
 *     : "=f"(z)
 *     : "f"(x));
 * ```
 * Without `stub`, it has the marker that `parsePtx` finds in nvcc's PTX. With a stub, it compiles to the same machine
 * code as the rendered marker.
 *
 * @throws PtxInjectError INVALID_ARGUMENT for a site that is not of this shape, UNKNOWN_TYPE, DUPLICATE_OPERAND,
 * INVALID_STUB as `render`, and for a stub with NUL, where C++ ends the text of a statement
 */
export function inlineAsm(site: InlineAsmSite, options: InlineAsmOptions = {}): string {
  checkOptions("inlineAsm", options, OPTIONS);
  const { types = defaultTypes, stub, volatile = false, memory = false } = options;
  const { name, operands } = checkedSite(site, checkTypes(types));
  const { before, marks, after } = frameOf(operands);
  const inString = (line: string): string => escaped(line, operands.length > 0);
  const inside =
    stub === undefined
      ? [
          `// PTX_INJECT_START ${inString(name)}`,
          ...canonicalOrder(operands).map((operand, i) => marks[i] + inString(operand.name)),
          "// PTX_INJECT_END",
        ]
      : stubLines(stub, name).map(inString);
  const text = [...before, ...inside, ...after];
  const literals = text.map((line, i) => (i === text.length - 1 ? `"${line}"` : `"${line}\\n\\t"`));
  const written = operands.filter(({ direction }) => direction !== "in").map(binding);
  const read = operands.filter(({ direction }) => direction === "in").map(binding);
  const lists = memory
    ? [written, read, ['"memory"']]
    : read.length > 0
      ? [written, read]
      : written.length > 0
        ? [written]
        : [];
  const listed = lists.map((list) => `\n    : ${list.join(", ")}`.trimEnd());
  return `asm${volatile ? " volatile" : ""}(${literals.join("\n    ")}${listed.join("")});`;
}

/** The lines of a stub. One pair of braces around all of it is dropped, because the statement has its own. */
function stubLines(given: unknown, name: string): string[] {
  if (typeof given !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected PTX text as stub, found ${describeValue(given)}`);
  const stub = withoutFinalNul(given);
  checkStructure(stub, name);
  const nul = stub.indexOf("\0");
  if (nul !== -1) {
    const place = { text: stub, span: { start: nul, end: nul + 1 } };
    throw new PtxInjectError("INVALID_STUB", `stub of ${quoted(name)}: expected no NUL, found one`, place);
  }
  const lines = stub.trim().replaceAll("\r\n", "\n");
  return (isScope(lines, name) ? lines.slice(1, -1).trim() : lines).split("\n").map((line) => line.trim());
}

/**
 * Whether the first and the last character are braces that belong together, so that the text between them is balanced.
 */
function isScope(text: string, name: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    checkStructure(text.slice(1, -1), name);
    return true;
  } catch (error) {
    if (error instanceof PtxInjectError) return false;
    throw error;
  }
}

interface CheckedSite {
  readonly name: string;
  readonly operands: readonly TypedOperand[];
}

function checkedSite(site: InlineAsmSite, { types }: InjectTypes): CheckedSite {
  if (typeof site !== "object" || site === null || !Array.isArray(site.operands))
    throw invalid("a site with name and operands", site);
  const wrong = nameProblem(site.name);
  if (wrong !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", `name of a site: ${wrong}`);
  const names = new Set<string>();
  const operands = site.operands.map((operand) => {
    const checked = checkedOperand(operand, types);
    if (names.has(checked.name)) {
      const message = `expected operands of ${quoted(site.name)} of different names, found a second ${quoted(checked.name)}`;
      throw new PtxInjectError("DUPLICATE_OPERAND", message);
    }
    names.add(checked.name);
    return checked;
  });
  return { name: site.name, operands };
}

function checkedOperand(operand: InlineAsmOperand, types: readonly InjectType[]): TypedOperand {
  if (typeof operand !== "object" || operand === null)
    throw invalid("an operand with name, direction and type", operand);
  const { name, direction, type: word, expression = name } = operand;
  const wrong = nameProblem(name);
  if (wrong !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", `name of an operand: ${wrong}`);
  const whose = `of operand ${quoted(name)}`;
  if (!DIRECTIONS.includes(direction))
    throw invalid(`\`in\`, \`out\` or \`mod\` as direction ${whose}`, direction);
  if (typeof expression !== "string") throw invalid(`C++ text as expression ${whose}`, expression);
  const problem = expressionProblem(expression);
  if (problem !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", `expression ${whose}: ${problem}`);
  const type = types.find((known) => known.name === word);
  if (type !== undefined) return { name, direction, type, expression };
  const known = types.map((entry) => entry.name);
  const suggestion = typeof word === "string" ? didYouMean(word, known) : "";
  throw new PtxInjectError(
    "UNKNOWN_TYPE",
    `expected a type of the description ${whose}, found ${describeValue(word)}${suggestion}`,
  );
}

function invalid(expected: string, found: unknown): PtxInjectError {
  return new PtxInjectError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
}
