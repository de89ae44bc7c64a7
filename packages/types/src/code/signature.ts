// The types of an operation's result and operands.
import type { OperationParts } from "./operation.js";

/** The types that an operation reads and writes. */
export interface OperationSignature {
  readonly result: string;
  readonly operands: readonly string[];
  /** Whether registers may have more bits than their types. */
  readonly relaxed: boolean;
}

/** The types of the operands after the first, where they are not that of the first. `t` is the first type. */
const LATER_OPERANDS: Readonly<Record<string, readonly string[]>> = {
  shl: ["u32"],
  shr: ["u32"],
  szext: ["u32"],
  bmsk: ["u32"],
  bfe: ["u32", "u32"],
  bfi: ["t", "u32", "u32"],
  shf: ["b32", "u32"],
  fns: ["b32", "s32"],
};

/** Results that are not of the first type. */
const RESULTS: Readonly<Record<string, string>> = {
  popc: "u32",
  clz: "u32",
  bfind: "u32",
  testp: "pred",
  setp: "pred",
  dp4a: "s32",
  dp2a: "s32",
};

/** The types of an operation with this number of operands. */
export function operationSignature(
  { name, types, choice }: OperationParts,
  count: number,
): OperationSignature {
  const [type = "", second] = types;
  const result = RESULTS[name] ?? type;
  const all = (operand: string, ...last: string[]): string[] => [
    ...Array<string>(count - last.length).fill(operand),
    ...last,
  ];
  const of = (operands: readonly string[], to = result): OperationSignature => ({
    result: to,
    operands,
    relaxed: false,
  });
  switch (name) {
    case "cvt":
      if (choice === "pack")
        return { result: "u32", operands: ["s32", "s32", "b32"].slice(0, count), relaxed: true };
      return { result: type, operands: all(second ?? type), relaxed: true };
    case "setp":
    case "set": {
      const compared = second ?? type;
      return of(count === 3 ? all(compared, "pred") : all(compared));
    }
    case "selp":
      return of(all(type, "pred"));
    case "slct":
      return of(all(type, second!));
    case "dp4a":
    case "dp2a":
      return of([type, second ?? type, "s32"]);
    case "mul":
    case "mad":
      if (choice !== "wide") break;
      return of(name === "mul" ? all(type) : all(type, twice(type)), twice(type));
    case "add":
    case "sub":
    case "fma":
      // The mixed-precision forms, which add f16 or bf16 to an f32.
      if (second !== undefined) return of(all(second, type));
  }
  const later = LATER_OPERANDS[name]?.map((operand) => (operand === "t" ? type : operand));
  return of(later === undefined ? all(type) : [type, ...later]);
}

const twice = (type: string): string => `${type.charAt(0)}${2 * Number(type.slice(1))}`;
