// The header's lines about types: a macro for each type of the description, and one for each cast that the
// header does not provide.
import type { InjectType } from "@mm-ptx/types/core";
import { describeValue, quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";

/** The header's own ways to bind a variable, by the equivalent cast in a description. */
const BINDS = new Map([
  ["", "ID"],
  ["*(unsigned short*)&", "U16"],
  ["*(unsigned int*)&", "U32"],
]);

/** Text that can be part of a macro's name. */
const WORD = /^\w+$/;

/** The parts of a cast: types in parentheses, `*` and `&`. Anything else might end the expression. */
const CAST = /^(?:[*& ]|\([\w*&:<>, ]+\))+$/;

/** The type that `PTX_PHILOX` uses, which every header therefore has. */
const PHILOX: InjectType = {
  name: "PHILOX",
  registerType: "u32",
  movPostfix: "u32",
  registerChar: "r",
  registerCast: "",
};

/** Whether two types have the same fields and names that differ in case only: `f16X2` of 0.x is `F16X2`. */
const isSpelling = (one: InjectType, other: InjectType): boolean =>
  one.name.toLowerCase() === other.name.toLowerCase() &&
  one.registerType === other.registerType &&
  one.movPostfix === other.movPostfix &&
  one.registerChar === other.registerChar &&
  one.registerCast === other.registerCast;

/** The type whose macro stands for all spellings of a type: the first of them in the description. */
export const macroType = (types: readonly InjectType[], type: InjectType): InjectType =>
  types.find((other) => isSpelling(other, type)) ?? type;

/** The types that have a macro. */
export const macroTypes = (types: readonly InjectType[]): readonly InjectType[] =>
  types.filter((type) => macroType(types, type) === type);

/**
 * The macros of all types, beginning with those that `PTX_INJECT_NO_DEFAULT_TYPES` leaves out.
 * @throws PtxInjectError INVALID_ARGUMENT for a type that cannot be written as a macro
 */
export function typeLines(types: readonly InjectType[]): string {
  types.forEach(check);
  const philox = types.find(({ name }) => name === PHILOX.name) ?? PHILOX;
  const others = types.filter((type) => type !== philox);
  return [
    ...types.flatMap(bindLine),
    "#ifndef PTX_INJECT_NO_DEFAULT_TYPES",
    ...others.map(typeLine),
    "#endif",
    typeLine(philox),
  ].join("\n");
}

function check(type: InjectType): void {
  const { name, registerType, movPostfix, registerChar, registerCast } = type;
  const words = { name, registerType, movPostfix, registerChar };
  for (const [field, word] of Object.entries(words)) {
    if (WORD.test(word)) continue;
    const expected = `expected ${field} of a type to be letters, digits and underscores, for macros of the header`;
    throw new PtxInjectError("INVALID_ARGUMENT", `${expected}, found ${describeValue(word)}`);
  }
  if (registerCast !== "" && !CAST.test(registerCast)) {
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      `expected registerCast of type ${quoted(name)} to be types in parentheses, \`*\` and \`&\`, found ${describeValue(registerCast)}`,
    );
  }
}

const bindOf = ({ name, registerCast }: InjectType): string => BINDS.get(registerCast) ?? `OF_${name}`;

function typeLine(type: InjectType): string {
  const fields = [type.registerType, type.movPostfix, type.registerChar, bindOf(type)];
  return `#define PTX_TYPE_INFO_${type.name} PTX_TYPES_DESC(${fields.join(", ")})`;
}

/** A macro for a cast that the header does not provide, which is written before the operand. */
const bindLine = (type: InjectType): string[] =>
  BINDS.has(type.registerCast)
    ? []
    : [`#define PTX_TYPES_BIND_${bindOf(type)}(...) (${type.registerCast}(__VA_ARGS__))`];
