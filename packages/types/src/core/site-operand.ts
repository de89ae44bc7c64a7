// Operands of an injection site as plain values: all that packages which make stubs need to know about a marked kernel.
import { describeValue, quoted } from "../internal/describe.js";

/** An operand of an injection site. The operands that `parsePtx` of `@mm-ptx/inject` reads have this shape. */
export interface SiteOperand {
  /** The name that the annotation gives it. */
  readonly name: string;
  /** A stub reads `in`, writes `out`, and reads and writes `mod`. */
  readonly direction: "in" | "mod" | "out";
  /** The register that carries it inside the site, without the leading `%`. */
  readonly register: string;
  /** The PTX type of that register, for example `f32`. */
  readonly registerType: string;
  /** The type token of the annotation, for example `F32`. */
  readonly type: string;
}

const DIRECTIONS: readonly unknown[] = ["in", "mod", "out"];
const TEXTS = ["name", "register", "registerType", "type"] as const;

/**
 * Copies and checks the operands of a site. Each property is read once.
 * @param refuse turns a message into an error
 * @throws the error of `refuse`, unless it is a list of operands
 */
export function readSiteOperands(
  operands: readonly SiteOperand[],
  refuse: (message: string) => Error,
): SiteOperand[] {
  if (!Array.isArray(operands)) {
    throw refuse(`expected the operands of a site as an array, found ${describeValue(operands)}`);
  }
  return Array.from(operands, (operand: SiteOperand | null | undefined, index) => {
    const expected = `expected a site operand at \`operands[${index}]\``;
    if (typeof operand !== "object" || operand === null) {
      throw refuse(`${expected}, found ${describeValue(operand)}`);
    }
    const { name, direction, register, registerType, type } = operand;
    const copy = { name, direction, register, registerType, type };
    for (const key of TEXTS) {
      if (typeof copy[key] === "string" && copy[key] !== "") continue;
      throw refuse(`${expected} with ${key} as text, found ${describeValue(copy[key])}`);
    }
    if (!DIRECTIONS.includes(direction)) {
      const found = describeValue(direction);
      throw refuse(
        `expected \`in\`, \`mod\` or \`out\` as the direction of operand ${quoted(name)}, found ${found}`,
      );
    }
    return copy;
  });
}
