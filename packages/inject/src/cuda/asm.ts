// The text of an asm statement, as it stands in a C string. In it `%` begins an operand, so that of a register is doubled;
// without operands asm puts nothing in, and nothing is doubled. Braces, bars and dollar signs mean nothing to nvcc's asm.
import { type Direction, LETTERS } from "../marked/marker.js";
import { asmOrder, canonicalOrder, type TypedOperand } from "./operand.js";

/** What a statement does besides writing its operands. */
export interface Effects {
  /** It stays when nobody uses what it writes, and is not repeated or reordered. */
  readonly volatile: boolean;
  /** It reads or writes memory, so that loads and stores do not cross it. */
  readonly memory: boolean;
}

/** What statements have in common whose operands have the same directions and types: lines, escaped. */
export interface Frame {
  /** The scope's beginning, a register for each operand, moves into them. */
  readonly before: readonly string[];
  /** For each operand in canonical order, what its line in the marker has before the name. */
  readonly marks: readonly string[];
  /** Moves out of the registers, the scope's end. */
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
 * A line of PTX as it stands in the string of an asm statement. Question marks are escaped because two of them begin a
 * trigraph before C++17: `??/` would be a backslash.
 *
 * @param substituted whether the statement has operands, so that `%` begins one
 */
export function escaped(line: string, substituted: boolean): string {
  if (!SPECIAL.test(line)) return line;
  return line.replace(SPECIALS, (sign) => {
    if (sign === "%") return substituted ? "%%" : "%";
    return ESCAPES[sign] ?? `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
}

/** What a literal of C++ cannot hold as it is, and what would mean something else there. */
const SPECIAL = /["\\%?\x00-\x1f]/;
const SPECIALS = new RegExp(SPECIAL, "g");
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "?": "\\?", "\t": "\\t" };
