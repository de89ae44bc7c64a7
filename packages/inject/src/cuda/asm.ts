// The text of an asm statement, as it appears in a C string. In it, `%` introduces an operand, so the `%` of a register
// is doubled. In a statement without operands nothing is substituted, and nothing is doubled. Braces, bars and dollar
// signs have no meaning in nvcc's asm.
import { type Direction, LETTERS } from "../marked/marker.js";
import { asmOrder, canonicalOrder, type TypedOperand } from "./operand.js";

/** The effects of a statement besides writing its operands. */
export interface Effects {
  /** The statement is kept even if nothing uses its results, and it is not duplicated or reordered. */
  readonly volatile: boolean;
  /** The statement reads or writes memory, so loads and stores are not moved across it. */
  readonly memory: boolean;
}

/** The escaped lines that all statements with operands of the same directions and types share. */
export interface Frame {
  /** The beginning of the scope, a register for each operand, and the moves into them. */
  readonly before: readonly string[];
  /** For each operand in canonical order, the part of its marker line before the name. */
  readonly marks: readonly string[];
  /** The moves out of the registers, and the end of the scope. */
  readonly after: readonly string[];
}

const CONSTRAINTS: Readonly<Record<Direction, string>> = { mod: "+", out: "=", in: "" };

/** The frame of a statement with these operands, in any order. */
export function frameOf(operands: readonly Pick<TypedOperand, "direction" | "type">[]): Frame {
  const numbers = new Map(asmOrder(operands).map((operand, number) => [operand, number]));
  const ordered = canonicalOrder(operands);
  const move = (type: string, to: string, from: string): string => `mov.${type} ${to}, ${from};`;
  return {
    before: [
      "{",
      ...ordered.map(({ type }, i) => `.reg .${type.registerType} %%_x${i};`),
      ...ordered.flatMap((operand, i) =>
        operand.direction === "out"
          ? []
          : move(operand.type.movPostfix, `%%_x${i}`, `%${numbers.get(operand)}`),
      ),
    ],
    marks: ordered.map(
      ({ direction, type }, i) =>
        `// _x${i} ${LETTERS[direction]} ${type.registerType} ${escaped(type.name, true)} `,
    ),
    after: [
      ...ordered.flatMap((operand, i) =>
        operand.direction === "in"
          ? []
          : move(operand.type.movPostfix, `%${numbers.get(operand)}`, `%%_x${i}`),
      ),
      "}",
    ],
  };
}

/** How an operand is listed after the text: `"+f"(y)`. */
export function binding({ direction, type, expression }: TypedOperand): string {
  const value = type.registerCast === "" ? expression : `${type.registerCast}(${expression})`;
  return `"${CONSTRAINTS[direction]}${type.registerChar}"(${value})`;
}

/**
 * A line of PTX as it appears in the string of an asm statement. Question marks are escaped, because two of them start
 * a trigraph before C++17: `??/` would be a backslash.
 *
 * @param substituted whether the statement has operands, so that `%` introduces one
 */
export function escaped(line: string, substituted: boolean): string {
  if (!SPECIAL.test(line)) return line;
  return line.replace(SPECIALS, (sign) => {
    if (sign === "%") return substituted ? "%%" : "%";
    return ESCAPES[sign] ?? `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
}

/** Characters that a C++ literal cannot contain as they are, or that have a special meaning there. */
const SPECIAL = /["\\%?\x00-\x1f]/;
const SPECIALS = new RegExp(SPECIAL, "g");
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "?": "\\?", "\t": "\\t" };
