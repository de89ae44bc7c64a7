// Prints expressions as math text, with only the parentheses that are needed to read the same expression back.
import { float32FromBits } from "../encode.js";
import { type Expression, type Operand, toExpression } from "../expression/expression.js";
import { checkTreeSize } from "../expression/walk.js";
import { decimalToBits } from "./decimal.js";
import { Binding, INFIXES, MINUS, SIGN_BIT } from "./syntax.js";

/** The number of digits that distinguish any two f32. */
const MOST_DIGITS = 9;

/** A piece of text, or an expression that needs parentheses if it binds less tightly than `least`. */
type Piece = string | { readonly node: Expression; readonly least: Binding };

/**
 * Returns the text of an expression; `parseExpression` reads it back as the same expression.
 * @throws AstPtxError INVALID_ARGUMENT when it has more than 2^24 nodes when written out, or is not an expression
 */
export function printExpression(expression: Operand): string {
  const root = toExpression(expression);
  checkTreeSize(root);
  const texts: string[] = [];
  const waiting: Piece[] = [{ node: root, least: Binding.sum }];
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === "string") texts.push(piece);
    else waiting.push(...piecesOf(piece.node, piece.least).reverse());
  }
  return texts.join("");
}

/** The pieces of an expression, in order. */
function piecesOf(node: Expression, least: Binding): Piece[] {
  if (node.kind === "variable") return [node.name];
  if (node.kind === "constant") return [constantText(node.bits)];
  const { operation, args } = node;
  const infix = INFIXES.find((each) => each.operation === operation);
  if (infix !== undefined) {
    const { binding, symbol } = infix;
    // A right operand of the same precedence needs parentheses, because operators are left-associative.
    const right: Binding = binding + 1;
    const pieces = [{ node: args[0]!, least: binding }, ` ${symbol} `, { node: args[1]!, least: right }];
    return binding < least ? ["(", ...pieces, ")"] : pieces;
  }
  if (operation === "neg") {
    const [operand] = args;
    // `-1` is a number, so the negation of a number is written with parentheses.
    const isNumber = operand!.kind === "constant" && !constantText(operand!.bits).startsWith(MINUS);
    return isNumber
      ? [MINUS, "(", { node: operand!, least: Binding.sum }, ")"]
      : [MINUS, { node: operand!, least: Binding.negation }];
  }
  const list = args.flatMap((arg, index): Piece[] => [
    index === 0 ? "" : ", ",
    { node: arg, least: Binding.sum },
  ]);
  return [operation, "(", ...list, ")"];
}

/**
 * The value rounded to as few digits as read back as the same f32; PTX's notation for infinities and NaNs. Above a
 * power of two, where f32 are twice as far apart as below, a decimal that is farther away may be a digit shorter.
 */
function constantText(bits: number): string {
  const size = (bits & ~SIGN_BIT) >>> 0;
  const value = float32FromBits(size);
  const sign = bits >>> 31 === 1 ? MINUS : "";
  if (!Number.isFinite(value)) return `0f${bits.toString(16).padStart(8, "0")}`;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const text = value.toPrecision(digits);
    if (decimalToBits(text) === size) return `${sign}${Number(text)}`;
  }
  return `${sign}${Number(value.toPrecision(MOST_DIGITS))}`;
}
