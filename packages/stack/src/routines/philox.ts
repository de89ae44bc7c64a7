// Random numbers inside a kernel: the counter-based generator Philox-4x32-10 as routines, with cuRAND's scaling.
// (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.)
import type { StackTable } from "@mm-ptx/types/core";
import { isWhole } from "@mm-ptx/types/internal";
import { checkOptionValues, checkTable, invalid } from "../arguments.js";
import {
  constantBits,
  constantF32,
  type Instruction,
  input,
  load,
  meta,
  metaConstant,
  ptxInstruction,
  store,
} from "../encode.js";
import { StackPtxError } from "../error.js";
import { StackProgram } from "../program.js";
import { type NamedRegister, register, type StackRegister } from "../register.js";
import { RoutineLibrary } from "./library.js";

/** The operands that `PTX_PHILOX` binds, in the order in which the library expects their registers. */
export const PHILOX_REGISTERS = [
  "philox_key_x",
  "philox_key_y",
  "philox_ctr_x",
  "philox_ctr_y",
  "philox_ctr_z",
  "philox_ctr_w",
] as const;

/** The name of an operand that `PTX_PHILOX` binds. */
export type PhiloxRegister = (typeof PHILOX_REGISTERS)[number];

/** The name of a routine of `philox`. */
export type PhiloxRoutine =
  | "push_state"
  | "curand"
  | "curand_uniform"
  | "curand_normal"
  | "uniform_scale"
  | "box_muller"
  | "round";

/** The routines of `philox`, by index: the order that programs of mm-ptx 1.1 call them in. */
const ROUTINES: readonly PhiloxRoutine[] = [
  "push_state",
  "curand",
  "curand_uniform",
  "curand_normal",
  "uniform_scale",
  "box_muller",
  "round",
];

const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
/**
 * The increments of the keys between rounds: the golden ratio and the square root of 3, minus 1, as fractions of 2^32.
 */
const WEYL = [0x9e3779b9, 0xbb67ae85] as const;
const ROUNDS = 10;

const KEY_X = 10;
const KEY_Y = 11;
const X = 12;
const Y = 13;
const Z = 14;
const W = 15;
/** The slots of the state, from the top of the stack to the bottom. */
const STATE = [X, Y, Z, W, KEY_X, KEY_Y];

/** The slots of `box_muller`, each first for a number and then for the result computed from it. */
const RADIUS = 10;
const ANGLE = 11;

/** The largest index that leaves room for all six registers. */
const LAST_REGISTER = 2 ** 32 - PHILOX_REGISTERS.length;

/**
 * Makes the six registers of a job that `philox` reads, on stack `PHILOX`: `philoxRegisters(table, (name) =>
 * injection.operand(name))`.
 * @param find finds the register of an operand in the kernel; by default it has the operand's name
 * @throws StackPtxError INVALID_ARGUMENT when the table has no stack `PHILOX`, or `find` does not return a valid register
 */
export function philoxRegisters(
  table: StackTable,
  find: (operand: PhiloxRegister) => string | NamedRegister = (operand) => operand,
): StackRegister[] {
  checkTable(table);
  if (typeof find !== "function") throw invalid("a function from operands to registers", find);
  const stack = table.stackTypes.findIndex(({ name }) => name === "PHILOX");
  if (stack === -1) throw invalid("a table with a stack `PHILOX`", table);
  return PHILOX_REGISTERS.map((operand) => register(find(operand), stack));
}

/** Options of `philox`. */
export interface PhiloxOptions {
  /** The index in the job's `registers` of the first of `PHILOX_REGISTERS`; the others follow. Default 0. */
  readonly firstRegister?: number;
}

/**
 * Philox-4x32-10 as routines for a table. The state is on stack `PHILOX`, from bottom to top: key_y, key_x, ctr_w,
 * ctr_z, ctr_y, ctr_x.
 *
 * - `push_state` pushes the state from the inputs `PHILOX_REGISTERS`.
 * - `curand` pushes the four u32 x, y, z, w on stack `U32`, with w on top, and adds 1 to ctr_x: request w, z, y, x.
 * - `curand_uniform` and `curand_normal` push four f32 on stack `F32`, with x on top, and add 1 to ctr_x: request x, y,
 *   z, w.
 * - `uniform_scale` converts a u32 to an f32 in (0, 1]: times 2^-32, plus half of that.
 * - `box_muller` converts two u32 to two normal f32. The lower one determines the radius, whose logarithm `lg2.approx`
 * computes, and the one on top determines the angle; the radius times the sine ends on top of the radius times the
 * cosine.
 * - `round` does one round on the state and advances its keys.
 *
 * The order of the routines, what they leave and the text of their stubs are those of mm-ptx 1.1.1.
 *
 * The routines use store slots 10 to 15. None of them calls another, so each takes one frame, and your own routines may
 * call them; as always, a call beyond `maxFrameDepth` is skipped. Request philox_ctr_x in your program, so that the
 * counter advances in the kernel.
 *
 * @throws StackPtxError INVALID_ARGUMENT when the table lacks stacks or instructions that the routines need (the message
 * names them), or for a wrong option
 */
export function philox(table: StackTable, options: PhiloxOptions = {}): RoutineLibrary<PhiloxRoutine> {
  checkTable(table);
  checkOptionValues(options, { firstRegister: isWhole(0, LAST_REGISTER) });
  const { firstRegister = 0 } = options;
  const { stacks, find } = parts(table);
  const { PHILOX, F32 } = stacks;
  const add = find("add.u32", ["PHILOX", "PHILOX"], "PHILOX");
  const multiplyLow = find("mul.lo.u32", ["PHILOX", "PHILOX"], "PHILOX");
  const multiplyHigh = find("mul.hi.u32", ["PHILOX", "PHILOX"], "PHILOX");
  const xor = find("xor.b32", ["PHILOX", "PHILOX"], "PHILOX");
  const toU32 = find("mov.b32", ["PHILOX"], "U32");
  const toF32 = find("cvt.rn.f32.u32", ["U32"], "F32");
  const fma = find("fma.rn.ftz.f32", ["F32", "F32", "F32"], "F32");
  const multiply = find("mul.ftz.f32", ["F32", "F32"], "F32");
  const logarithm = find("lg2.approx.ftz.f32", ["F32"], "F32");
  const root = find("sqrt.approx.ftz.f32", ["F32"], "F32");
  const sine = find("sin.approx.ftz.f32", ["F32"], "F32");
  const cosine = find("cos.approx.ftz.f32", ["F32"], "F32");
  find.refuseMissing();

  const word = (value: number): Instruction => constantBits(PHILOX, value);
  const number = (value: number): Instruction => constantF32(F32, value);
  const loadState = [...STATE].reverse().map(load);
  const storeState = STATE.map((slot) => store(PHILOX, slot));
  /**
   * Converts a u32, which `value` pushes as an f32, to steps of `scale`, starting at half a step: a value in
   * (0, scale * 2^32].
   */
  const scaled = (value: Instruction, scale: number): Instruction[] => [
    number(Math.fround(scale) / 2),
    value,
    number(scale),
    fma,
  ];

  const round = [
    ...storeState,
    ...[load(KEY_Y), word(WEYL[1]), add],
    ...[load(KEY_X), word(WEYL[0]), add],
    ...[load(X), word(MULTIPLIERS[0]), multiplyLow],
    ...[load(X), word(MULTIPLIERS[0]), multiplyHigh, load(W), xor, load(KEY_Y), xor],
    ...[load(Z), word(MULTIPLIERS[1]), multiplyLow],
    ...[load(Z), word(MULTIPLIERS[1]), multiplyHigh, load(Y), xor, load(KEY_X), xor],
  ];
  const curand = [
    ...[...storeState, ...loadState, ...loadState],
    ...Array.from({ length: ROUNDS }, () => round).flat(),
    // The numbers are on top of the last round's keys, which are on top of the state.
    ...[toU32, toU32, toU32, toU32],
    ...[metaConstant(2), meta(PHILOX, "drop")],
    ...[word(1), add],
  ];
  const uniformScale = scaled(toF32, 2 ** -32);
  const boxMuller = [
    ...[toF32, toF32, store(F32, RADIUS), store(F32, ANGLE)],
    // The radius is the square root of -2 ln(u), and ln(u) is lg2(u) times ln(2).
    ...scaled(load(RADIUS), 2 ** -32),
    ...[logarithm, number(-2 * Math.LN2), multiply, root, store(F32, RADIUS)],
    ...[...scaled(load(ANGLE), 2 ** -32 * 2 * Math.PI), store(F32, ANGLE)],
    ...[load(ANGLE), cosine, load(RADIUS), multiply],
    ...[load(ANGLE), sine, load(RADIUS), multiply],
  ];
  const routines: Record<PhiloxRoutine, readonly Instruction[]> = {
    push_state: [1, 0, 5, 4, 3, 2].map((register) => input(firstRegister + register)),
    curand,
    curand_uniform: [...curand, ...uniformScale, ...uniformScale, ...uniformScale, ...uniformScale],
    curand_normal: [...curand, ...boxMuller, ...boxMuller],
    uniform_scale: uniformScale,
    box_muller: boxMuller,
    round,
  };
  return RoutineLibrary.of(ROUTINES.map((name) => [name, StackProgram.of(...routines[name])] as const));
}

/** Finds the stacks and instructions that the routines need by their meaning, not by their place in the table. */
function parts(table: StackTable) {
  const missing: string[] = [];
  const stackIndex = (name: string): number => {
    const index = table.stackTypes.findIndex((stack) => stack.name === name);
    if (index === -1) missing.push(`stack \`${name}\``);
    return index;
  };
  const stacks = { PHILOX: stackIndex("PHILOX"), U32: stackIndex("U32"), F32: stackIndex("F32") };
  type Stack = keyof typeof stacks;
  const isScalarOf = (argType: number, stack: Stack): boolean => {
    const type = table.argTypes[argType];
    return type?.stackIndex === stacks[stack] && type.vectorElements === 0;
  };
  const find = (ptx: string, args: readonly Stack[], result: Stack): Instruction => {
    const index = table.instructions.findIndex(
      (one) =>
        one.ptx === ptx &&
        one.args.length === args.length &&
        one.args.every((arg, at) => isScalarOf(arg, args[at]!)) &&
        one.results.length === 1 &&
        isScalarOf(one.results[0]!, result),
    );
    if (index === -1) missing.push(`\`${ptx}\` from ${args.join(", ")} to ${result}`);
    return ptxInstruction(Math.max(index, 0));
  };
  /** @throws StackPtxError */
  find.refuseMissing = (): void => {
    if (missing.length === 0) return;
    throw new StackPtxError(
      "INVALID_ARGUMENT",
      `expected a table with everything that Philox needs, found one without: ${missing.join("; ")}`,
    );
  };
  return { stacks, find };
}
