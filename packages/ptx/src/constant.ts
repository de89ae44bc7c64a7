// Constants and their arithmetic (PTX ISA, Constant Expressions): f64, and integers of 64 bits, which are signed unless
// they are written with `U` or are too large.

/** A constant during evaluation. */
export type Constant =
  | { readonly kind: "integer"; readonly value: bigint; readonly unsigned: boolean }
  | { readonly kind: "float"; readonly value: number };

const LARGEST_SIGNED = 2n ** 63n - 1n;

const LARGEST = 2n ** 64n - 1n;

/** The constant that an integer token represents; undefined when it needs more than 64 bits. */
export function integerConstant(word: string): Constant | undefined {
  const marked = word.endsWith("U");
  const digits = marked ? word.slice(0, -1) : word;
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (value > LARGEST) return undefined;
  return { kind: "integer", value, unsigned: marked || value > LARGEST_SIGNED };
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of an f64. */
export function doubleBits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

const truth = (value: boolean): Constant => ({ kind: "integer", value: value ? 1n : 0n, unsigned: false });

const integer = (value: bigint, unsigned: boolean): Constant => ({
  kind: "integer",
  value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value),
  unsigned,
});

/** The precedence of each binary operator. */
export const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"].flatMap((operators, index) =>
    operators.split(" ").map((operator): [string, number] => [operator, index + 1]),
  ),
);

const INTEGER_OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "&": (a, b) => a & b,
  "<<": (a, b) => a << (b & 63n),
  ">>": (a, b) => a >> (b & 63n),
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0n ? undefined : a / b),
  "%": (a, b) => (b === 0n ? undefined : a % b),
};

const FLOAT_OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

const COMPARISONS: Readonly<Record<string, (a: bigint | number, b: bigint | number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** Whether a constant counts as true. */
export function isTrue({ value }: Constant): boolean {
  return value !== 0n && value !== 0;
}

/** Applies a binary operator; undefined when it does not apply to these constants. */
export function combine(operator: string, a: Constant, b: Constant): Constant | undefined {
  if (operator === "&&") return truth(isTrue(a) && isTrue(b));
  if (operator === "||") return truth(isTrue(a) || isTrue(b));
  if (a.kind === "float" && b.kind === "float") {
    const compare = COMPARISONS[operator];
    if (compare !== undefined) return truth(compare(a.value, b.value));
    const operation = FLOAT_OPERATIONS[operator];
    return operation && { kind: "float", value: operation(a.value, b.value) };
  }
  if (a.kind !== "integer" || b.kind !== "integer") return undefined;
  const isShift = operator === "<<" || operator === ">>";
  // ptxas computes remainders as unsigned.
  const unsigned = a.unsigned || (b.unsigned && !isShift) || operator === "%";
  const typed = ({ value }: { value: bigint }) => (unsigned ? BigInt.asUintN(64, value) : value);
  const compare = COMPARISONS[operator];
  if (compare !== undefined) return truth(compare(typed(a), typed(b)));
  const value = INTEGER_OPERATIONS[operator]!(typed(a), isShift ? b.value : typed(b));
  return value === undefined ? undefined : integer(value, unsigned);
}

/** Applies a unary operator; undefined when it does not apply to this constant. */
export function apply(operator: string, a: Constant): Constant | undefined {
  if (operator === "!") return truth(!isTrue(a));
  if (a.kind === "float") {
    if (operator === "~") return undefined;
    return { kind: "float", value: operator === "-" ? -a.value : a.value };
  }
  if (operator === "~") return integer(~a.value, a.unsigned);
  return operator === "-" ? integer(-a.value, a.unsigned) : a;
}

/** Converts a constant as `(.s64)` or `(.u64)` does. */
export function cast(a: Constant, unsigned: boolean): Constant | undefined {
  return a.kind === "integer" ? integer(a.value, unsigned) : undefined;
}
