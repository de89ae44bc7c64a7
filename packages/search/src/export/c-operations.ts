// Instructions as expressions of C with equal results, bit for bit, except where PTX permits errors.
import type { OperationParts } from "@mm-ptx/types/code";

/** How C keeps values: types of PTX that have the same representation have the same class. */
export type CClass = "b32" | "b64" | "f32" | "f64" | "pred";

/** The class of a type, or undefined for types that C has no arithmetic for. */
export function classOf(type: string): CClass | undefined {
  if (type === "f32" || type === "f64" || type === "pred") return type;
  if (/^[bus]32$/.test(type)) return "b32";
  return /^[bus]64$/.test(type) ? "b64" : undefined;
}

/** An expression of C, of the operands as texts that can be used anywhere in an expression. */
type Writer = (operands: readonly string[], parts: OperationParts) => string | undefined;

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  lo: "<",
  ls: "<=",
  hi: ">",
  hs: ">=",
};
/** Comparisons that are true for a NaN, as the negation of those that are false for it. */
const UNORDERED: Readonly<Record<string, string>> = { neu: "==", ltu: ">=", leu: ">", gtu: "<=", geu: "<" };

const signed = (type: string, text: string): string =>
  type.startsWith("s") ? `(int${type.slice(1)}_t)${text}` : text;

/** Functions of the C library for f32; those for f64 have no `f`. */
const library = (name: string, type: string): string => (type === "f64" ? name : `${name}f`);

const isRounded = ({ rounding }: OperationParts): boolean => rounding === "" || rounding === "rn";

/** An arithmetic operator of C, for integers and for floats that are rounded to nearest. */
const infix =
  (symbol: string): Writer =>
  ([a, b], parts) =>
    isRounded(parts) ? `${a} ${symbol} ${b}` : undefined;

const FLOATS: Readonly<Record<string, Writer>> = {
  add: infix("+"),
  sub: infix("-"),
  mul: infix("*"),
  div: ([a, b], { rounding }) => (["rn", "approx", "full"].includes(rounding) ? `${a} / ${b}` : undefined),
  fma: (operands, parts) =>
    isRounded(parts) ? `${library("fma", parts.types[0]!)}(${operands.join(", ")})` : undefined,
  neg: ([a]) => `-${a}`,
  abs: ([a], { types }) => `${library("fabs", types[0]!)}(${a})`,
  copysign: ([a, b], { types }) => `${library("copysign", types[0]!)}(${b}, ${a})`,
  min: (operands, parts) => extremum("min", operands, parts),
  max: (operands, parts) => extremum("max", operands, parts),
  min3: ([a, b, c], parts) => extremum("min", [extremum("min", [a!, b!], parts) ?? "", c!], parts),
  max3: ([a, b, c], parts) => extremum("max", [extremum("max", [a!, b!], parts) ?? "", c!], parts),
  rcp: ([a], { rounding, types }) =>
    rounding === "rn" || (rounding === "approx" && types[0] === "f32") ? `1 / ${a}` : undefined,
  sqrt: ([a], { rounding, types }) =>
    rounding === "rn" || rounding === "approx" ? `${library("sqrt", types[0]!)}(${a})` : undefined,
  rsqrt: ([a], { types }) => `1 / ${library("sqrt", types[0]!)}(${a})`,
  sin: ([a]) => `sinf(${a})`,
  cos: ([a]) => `cosf(${a})`,
  lg2: ([a]) => `log2f(${a})`,
  ex2: ([a]) => `exp2f(${a})`,
  tanh: ([a]) => `tanhf(${a})`,
  testp: ([a], { choice }) => {
    const tests: Readonly<Record<string, string>> = {
      finite: `isfinite(${a})`,
      infinite: `isinf(${a})`,
      number: `!isnan(${a})`,
      notanumber: `isnan(${a})`,
      normal: `isnormal(${a})`,
      subnormal: `fpclassify(${a}) == FP_SUBNORMAL`,
    };
    return choice in tests ? `(${tests[choice]}) != 0` : undefined;
  },
};

function extremum(
  name: string,
  operands: readonly string[],
  { choice, types }: OperationParts,
): string | undefined {
  if (choice !== "" && choice !== "NaN") return undefined;
  return `ptx_${name}${choice === "" ? "" : "_nan"}_${types[0]}(${operands.join(", ")})`;
}

const INTEGERS: Readonly<Record<string, Writer>> = {
  add: ([a, b], { saturation }) => (saturation === "" ? `${a} + ${b}` : undefined),
  sub: ([a, b], { saturation }) => (saturation === "" ? `${a} - ${b}` : undefined),
  mul: ([a, b], { choice, types: [type = ""] }) => {
    if (choice === "lo") return `${a} * ${b}`;
    if (!type.endsWith("32")) return undefined;
    return choice === "wide" ? wideProduct(type, a!, b!) : `(uint32_t)(${wideProduct(type, a!, b!)} >> 32)`;
  },
  mad: ([a, b, c], { choice, saturation, types: [type = ""] }) => {
    if (saturation !== "") return undefined;
    if (choice === "lo") return `${a} * ${b} + ${c}`;
    if (!type.endsWith("32")) return undefined;
    return choice === "wide"
      ? `${wideProduct(type, a!, b!)} + ${c}`
      : `(uint32_t)(${wideProduct(type, a!, b!)} >> 32) + ${c}`;
  },
  div: (operands, { types }) => `ptx_div_${types[0]}(${operands.join(", ")})`,
  rem: (operands, { types }) => `ptx_rem_${types[0]}(${operands.join(", ")})`,
  neg: ([a]) => `0 - ${a}`,
  abs: ([a], { types: [type = ""] }) => `${signed(type, a!)} < 0 ? 0 - ${a} : ${a}`,
  min: ([a, b], parts) => integerExtremum("<", a!, b!, parts),
  max: ([a, b], parts) => integerExtremum(">", a!, b!, parts),
  sad: ([a, b, c], { types: [type = ""] }) =>
    `${c} + (${signed(type, a!)} < ${signed(type, b!)} ? ${b} - ${a} : ${a} - ${b})`,
  and: infix("&"),
  or: infix("|"),
  xor: infix("^"),
  not: ([a], { types }) => (types[0] === "pred" ? `!${a}` : `~${a}`),
  cnot: ([a]) => `${a} == 0`,
  shl: ([a, b], { types: [type = ""] }) => `${b} >= ${type.slice(1)} ? 0 : ${a} << ${b}`,
  shr: ([a, b], { types: [type = ""] }) => {
    const most = Number(type.slice(1)) - 1;
    return type.startsWith("s")
      ? `${signed(type, a!)} >> (${b} > ${most} ? ${most} : ${b})`
      : `${b} > ${most} ? 0 : ${a} >> ${b}`;
  },
  popc: ([a], { types: [type = ""] }) => `ptx_popc_b${type.slice(1)}(${a})`,
  clz: ([a], { types: [type = ""] }) => `ptx_clz_b${type.slice(1)}(${a})`,
  brev: ([a], { types: [type = ""] }) => `ptx_brev_b${type.slice(1)}(${a})`,
  bfe: (operands, { types: [type = ""] }) =>
    type === "u32" || type === "s32" ? `ptx_bfe_${type}(${operands.join(", ")})` : undefined,
  bfi: (operands, { types: [type = ""] }) =>
    type === "b32" ? `ptx_bfi_b32(${operands.join(", ")})` : undefined,
  prmt: (operands, { choice }) => (choice === "" ? `ptx_prmt(${operands.join(", ")})` : undefined),
  lop3: (operands) => `ptx_lop3(${operands.join(", ")})`,
  shf: ([a, b, c], { choice }) => {
    const [direction, mode] = choice.split(".");
    const shift = mode === "wrap" ? `(${c} & 31)` : `(${c} > 32 ? 32 : ${c})`;
    const both = `((uint64_t)${b} << 32 | ${a})`;
    return direction === "l" ? `(uint32_t)(${both} << ${shift} >> 32)` : `(uint32_t)(${both} >> ${shift})`;
  },
};

const wideProduct = (type: string, a: string, b: string): string =>
  type.startsWith("s") ? `(uint64_t)((int64_t)(int32_t)${a} * (int32_t)${b})` : `(uint64_t)${a} * ${b}`;

function integerExtremum(
  symbol: string,
  a: string,
  b: string,
  { rectify, types: [type = ""] }: OperationParts,
): string | undefined {
  if (rectify || type.endsWith("x2")) return undefined;
  return `${signed(type, a)} ${symbol} ${signed(type, b)} ? ${a} : ${b}`;
}

const ANY: Readonly<Record<string, Writer>> = {
  mov: ([a]) => a,
  selp: ([a, b, c]) => `${c} ? ${a} : ${b}`,
  slct: ([a, b, c], { flush, types: [, by = ""] }) =>
    flush ? undefined : by === "f32" ? `${c} >= 0 ? ${a} : ${b}` : `(int32_t)${c} >= 0 ? ${a} : ${b}`,
  setp: (operands, parts) => comparison(operands, parts, parts.types[0]!),
  set: (operands, parts) => {
    const [to, type = ""] = parts.types;
    const holds = comparison(operands, parts, type);
    if (holds === undefined) return undefined;
    return to === "f32" ? `(${holds}) ? 1.0f : 0.0f` : `(${holds}) ? 0xffffffff : 0`;
  },
  cvt: ([a], parts) => conversion(a!, parts),
};

function comparison(
  operands: readonly string[],
  { choice }: OperationParts,
  type: string,
): string | undefined {
  const [name = "", combination] = choice.split(".");
  const isFloat = type.startsWith("f");
  const [a, b] = operands.slice(0, 2).map((text) => (isFloat ? text : signed(type, text)));
  let holds: string | undefined;
  if (isFloat && name === "ne") holds = `${a} < ${b} || ${a} > ${b}`;
  else if (name === "equ") holds = `!(${a} < ${b} || ${a} > ${b})`;
  else if (name === "neu") holds = `${a} != ${b}`;
  else if (name === "num") holds = `${a} == ${a} && ${b} == ${b}`;
  else if (name === "nan") holds = `${a} != ${a} || ${b} != ${b}`;
  else if (name in UNORDERED) holds = `!(${a} ${UNORDERED[name]} ${b})`;
  else if (name in COMPARISONS) holds = `${a} ${COMPARISONS[name]} ${b}`;
  if (holds === undefined || combination === undefined) return holds;
  const symbol = { and: "&", or: "|", xor: "^" }[combination];
  return symbol === undefined ? undefined : `(${holds}) ${symbol} ${operands[2]}`;
}

const ROUND_TO_WHOLE: Readonly<Record<string, string>> = {
  rni: "nearbyint",
  rzi: "trunc",
  rmi: "floor",
  rpi: "ceil",
};

function conversion(
  a: string,
  { types, rounding, flush, saturation, rectify, choice }: OperationParts,
): string | undefined {
  const [to = "", from = ""] = types;
  if (rectify || choice !== "" || saturation === "satfinite") return undefined;
  const toFloat = to === "f32" || to === "f64";
  const fromFloat = from === "f32" || from === "f64";
  const isWhole = (type: string): boolean => /^[us](8|16|32|64)$/.test(type);
  if (toFloat && fromFloat) {
    const whole = ROUND_TO_WHOLE[rounding];
    if (whole === undefined && rounding !== "" && rounding !== "rn") return undefined;
    if (whole !== undefined && to !== from) return undefined;
    const rounded = whole === undefined ? `(${ctype(to)})${a}` : `${library(whole, to)}(${a})`;
    const flushed = flush && to === "f32" ? `ptx_ftz(${rounded})` : rounded;
    return saturation === "sat" ? `ptx_sat_${to}(${flushed})` : flushed;
  }
  if (fromFloat) {
    const whole = ROUND_TO_WHOLE[rounding];
    if (whole === undefined || classOf(to) === undefined) return undefined;
    return `ptx_${to}_of_${from}(${library(whole, from)}(${a}))`;
  }
  if (!isWhole(from)) return undefined;
  const value = `(${from.startsWith("s") ? "" : "u"}int${from.slice(1)}_t)${a}`;
  if (toFloat) return rounding === "rn" && saturation === "" ? `(${ctype(to)})${value}` : undefined;
  return classOf(to) === undefined || saturation !== ""
    ? undefined
    : `(${to.startsWith("s") ? "" : "u"}int${to.slice(1)}_t)${value}`;
}

/** The type of C of a type of PTX, unsigned for all integers. */
export function ctype(type: string): string {
  const types: Readonly<Record<CClass, string>> = {
    b32: "uint32_t",
    b64: "uint64_t",
    f32: "float",
    f64: "double",
    pred: "bool",
  };
  return types[classOf(type)!];
}

/**
 * An instruction as an expression of C, or undefined if no expression has the same result. Operands of instructions with `.ftz` have
 * already been flushed.
 */
export function expressionOf(operands: readonly string[], parts: OperationParts): string | undefined {
  const { name, types, flush, saturation, rectify } = parts;
  const [type = ""] = types;
  const any = ANY[name];
  if (any !== undefined) return any(operands, parts);
  if (type !== "f32" && type !== "f64") {
    return type.endsWith("x2") || rectify ? undefined : INTEGERS[name]?.(operands, parts);
  }
  if (types.length > 1 || rectify || (flush && type === "f64")) return undefined;
  const text = FLOATS[name]?.(operands, parts);
  if (text === undefined) return undefined;
  const flushed = flush ? `ptx_ftz(${text})` : text;
  return saturation === "sat" ? `ptx_sat_${type}(${flushed})` : flushed;
}

/** Instructions whose results PTX leaves open to within an error. */
export const isApproximate = ({ rounding, name }: OperationParts): boolean =>
  rounding === "approx" ||
  rounding === "full" ||
  ["sin", "cos", "lg2", "ex2", "tanh", "rsqrt"].includes(name);
