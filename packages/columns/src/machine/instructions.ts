// Which operations are instructions: those of PTX ISA 9.0 on single values, as texts with alternatives in braces. The
// functions of ../arithmetic assume that an instruction exists, but a corrupt word need not encode one.

const ROUNDED = "{.rn,.rz,.rm,.rp}";
const ROUNDING = "{,.rn,.rz,.rm,.rp}";
const INTEGRAL = "{.rni,.rzi,.rmi,.rpi}";
const FTZ = "{,.ftz}";
const SAT = "{,.sat}";
const NAN = "{,.NaN}";
const INTEGERS = "{.u16,.u32,.u64,.s16,.s32,.s64}";
const ANY_INTEGERS = "{.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64}";
const BITS = "{.b16,.b32,.b64}";
const HALVES = "{.f16,.f16x2}";
const BRAINS = "{.bf16,.bf16x2}";
const BYTES = "{.e4m3x2,.e5m2x2}";

const sum = [
  "{.u16,.u32,.u64,.s16,.s64}",
  `${SAT}.s32`,
  `${ROUNDING}${FTZ}${SAT}.f32`,
  `${ROUNDING}.f64`,
  `${ROUNDING}${FTZ}.f32x2`,
  `${ROUNDING}${SAT}.f32{.f16,.bf16}`,
  `{,.rn}${FTZ}${SAT}${HALVES}`,
  `{,.rn}${BRAINS}`,
];
const sign = ["{.s16,.s32,.s64}", `${FTZ}.f32`, ".f64", `${FTZ}${HALVES}`, BRAINS];
const extremum = [
  "{.u16,.u32,.u64,.s16,.s64,.u16x2}",
  "{,.relu}{.s32,.s16x2}",
  `${FTZ}${NAN}{,.xorsign.abs}{.f32,.f16,.f16x2}`,
  ".f64",
  `${NAN}{,.xorsign.abs}${BRAINS}`,
];
const extremumOfThree = [`${FTZ}${NAN}{,.abs}.f32`];
const inexact = [`.approx${FTZ}.f32`];
const logic = [BITS, ".pred"];

const EQUAL = "{.eq,.ne}";
const SIGNED = "{.eq,.ne,.lt,.le,.gt,.ge}";
const UNSIGNED = "{.eq,.ne,.lt,.le,.gt,.ge,.lo,.ls,.hi,.hs}";
const ORDERED = "{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}";
const COMBINED = "{,.and,.or,.xor}";
/** Comparisons, each with the types that it compares. */
const COMPARISONS: readonly (readonly [comparison: string, flush: string, types: string])[] = [
  [EQUAL, "", BITS],
  [SIGNED, "", "{.s16,.s32,.s64}"],
  [UNSIGNED, "", "{.u16,.u32,.u64}"],
  [ORDERED, FTZ, ".f32"],
  [ORDERED, "", ".f64"],
];
const setFrom = (result: string, flush: string, type: string): string =>
  `${ORDERED}${COMBINED}${flush}${result}${type}`;

const chosen = "{.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64}";

/** What follows each name of `CODE_NAMES`. */
export const INSTRUCTIONS: Readonly<Record<string, readonly string[]>> = {
  mov: [`${chosen}`, ".pred"],
  add: [...sum, "{.u16x2,.s16x2}"],
  sub: sum,
  mul: [
    `{.lo,.hi}${INTEGERS}`,
    ".wide{.u16,.s16,.u32,.s32}",
    `${ROUNDING}${FTZ}${SAT}.f32`,
    `${ROUNDING}.f64`,
    `${ROUNDING}${FTZ}.f32x2`,
    `{,.rn}${FTZ}${SAT}${HALVES}`,
    `{,.rn}${BRAINS}`,
  ],
  mad: [
    `{.lo,.hi}${INTEGERS}`,
    ".hi.sat.s32",
    ".wide{.u16,.s16,.u32,.s32}",
    `${ROUNDED}${FTZ}${SAT}.f32`,
    `${ROUNDED}.f64`,
  ],
  fma: [
    `${ROUNDED}${FTZ}${SAT}.f32`,
    `${ROUNDED}.f64`,
    `${ROUNDED}${FTZ}.f32x2`,
    `${ROUNDED}${SAT}.f32{.f16,.bf16}`,
    `.rn${FTZ}{,.sat,.relu}${HALVES}`,
    `.rn{,.relu}${BRAINS}`,
  ],
  div: [INTEGERS, `{.approx,.full}${FTZ}.f32`, `${ROUNDED}${FTZ}.f32`, `${ROUNDED}.f64`],
  rem: [INTEGERS],
  neg: sign,
  abs: sign,
  min: extremum,
  max: extremum,
  min3: extremumOfThree,
  max3: extremumOfThree,
  copysign: ["{.f32,.f64}"],
  rcp: [`{.approx,.rn,.rz,.rm,.rp}${FTZ}.f32`, `${ROUNDED}.f64`, ".approx.ftz.f64"],
  sqrt: [`{.approx,.rn,.rz,.rm,.rp}${FTZ}.f32`, `${ROUNDED}.f64`],
  rsqrt: [`.approx${FTZ}{.f32,.f64}`],
  sin: inexact,
  cos: inexact,
  lg2: inexact,
  ex2: [...inexact, `.approx${HALVES}`, `.approx.ftz${BRAINS}`],
  tanh: ["{.approx}{.f32,.f16,.f16x2,.bf16,.bf16x2}"],
  testp: ["{.finite,.infinite,.number,.notanumber,.normal,.subnormal}{.f32,.f64}"],
  and: logic,
  or: logic,
  xor: logic,
  not: logic,
  cnot: [BITS],
  shl: [BITS],
  shr: [BITS, INTEGERS],
  popc: ["{.b32,.b64}"],
  clz: ["{.b32,.b64}"],
  brev: ["{.b32,.b64}"],
  bfind: ["{,.shiftamt}{.u32,.u64,.s32,.s64}"],
  bfe: ["{.u32,.u64,.s32,.s64}"],
  bfi: ["{.b32,.b64}"],
  prmt: [".b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}"],
  lop3: [".b32"],
  shf: ["{.l,.r}{.clamp,.wrap}.b32"],
  sad: [INTEGERS],
  mul24: ["{.lo,.hi}{.u32,.s32}"],
  mad24: ["{.lo,.hi}{.u32,.s32}", ".hi.sat.s32"],
  dp4a: ["{.u32,.s32}{.u32,.s32}"],
  dp2a: ["{.lo,.hi}{.u32,.s32}{.u32,.s32}"],
  fns: [".b32"],
  bmsk: ["{.clamp,.wrap}.b32"],
  szext: ["{.clamp,.wrap}{.u32,.s32}"],
  setp: [
    ...COMPARISONS.map(([comparison, flush, types]) => `${comparison}${COMBINED}${flush}${types}`),
    `${ORDERED}${COMBINED}${FTZ}${HALVES}`,
    `${ORDERED}${COMBINED}${BRAINS}`,
  ],
  set: [
    ...COMPARISONS.map(
      ([comparison, flush, types]) => `${comparison}${COMBINED}${flush}{.u32,.s32,.f32,.f16}${types}`,
    ),
    ...COMPARISONS.map(([comparison, , types]) => `${comparison}${COMBINED}.bf16${types}`),
    setFrom("{.u16,.s16,.u32,.s32,.f16}", FTZ, ".f16"),
    setFrom("{.u32,.s32,.f16x2}", FTZ, ".f16x2"),
    setFrom("{.u16,.s16,.u32,.s32,.bf16}", "", ".bf16"),
    setFrom("{.u32,.s32,.bf16x2}", "", ".bf16x2"),
    setFrom(".bf16", "", ".f16"),
  ],
  selp: [chosen],
  slct: [`${chosen}.s32`, `${FTZ}${chosen}.f32`],
  cvt: [
    `${SAT}${ANY_INTEGERS}{.u16,.u32,.u64,.s8,.s16,.s32,.s64}`,
    `${ANY_INTEGERS}.u8`,
    ".sat.s8.u8",
    `${ROUNDED}${FTZ}${SAT}.f32${ANY_INTEGERS}`,
    `${ROUNDED}${SAT}{.f16,.f64}${ANY_INTEGERS}`,
    `${ROUNDED}.bf16${ANY_INTEGERS}`,
    `${INTEGRAL}${FTZ}${SAT}${ANY_INTEGERS}.f32`,
    `${INTEGRAL}${SAT}${ANY_INTEGERS}{.f16,.f64}`,
    `${INTEGRAL}${ANY_INTEGERS}.bf16`,
    `{,.rni,.rzi,.rmi,.rpi}${FTZ}${SAT}.f32.f32`,
    `{,.rni,.rzi,.rmi,.rpi}${SAT}{.f64.f64,.f16.f16}`,
    "{,.rni,.rzi,.rmi,.rpi}.bf16.bf16",
    `${FTZ}${SAT}{.f32.f16,.f64.f32}`,
    `${SAT}.f64.f16`,
    "{.f32,.f64}.bf16",
    `${ROUNDED}${FTZ}${SAT}{.f32.f64,.f16.f32}`,
    `${ROUNDED}${SAT}.f16.f64`,
    `${ROUNDED}{.bf16.f16,.bf16.f64,.f16.bf16}`,
    "{.rn,.rz}{,.relu}{,.satfinite}{.f16,.bf16,.f16x2,.bf16x2,.tf32}.f32",
    `.rn.satfinite{,.relu}${BYTES}{.f32,.f16x2}`,
    `.rn{,.relu}.f16x2${BYTES}`,
    ".rna{,.satfinite}.tf32.f32",
    ".pack.sat{.u16,.s16}.s32",
    ".pack.sat{.u8,.s8}.s32.b32",
  ],
};

const patterns = new Map<string, RegExp>();

/**
 * Whether an instruction exists.
 *
 * @param name its name in `CODE_NAMES`
 * @param rest what PTX writes after the name
 */
export function isInstruction(name: string, rest: string): boolean {
  let pattern = patterns.get(name);
  if (pattern === undefined) {
    pattern = patternOf(INSTRUCTIONS[name] ?? []);
    patterns.set(name, pattern);
  }
  return pattern.test(rest);
}

const IN_PATTERNS: Readonly<Record<string, string>> = { "{": "(?:", "}": ")", ",": "|", ".": "\\." };

const patternOf = (texts: readonly string[]): RegExp =>
  new RegExp(`^(?:${texts.map((text) => text.replace(/[{},.]/g, (sign) => IN_PATTERNS[sign]!)).join("|")})$`);
