// The errors that PTX permits and the numbers that perturb results, for both JavaScript and WebAssembly. The file is
// both TypeScript and AssemblyScript; ./table.ts says where in the manual they are.

/** The bounds of the sine and cosine up to 2 pi, and up to 100 pi. */
export const SMALL_ANGLE: number = 6.283185307179586;
export const SMALL_ANGLE_ERROR: number = 6.743495761743046e-7;
export const ANGLE_ERROR: number = 3.7571545817410796e-5;
/** Beyond 100 pi: a part of the angle, 2^-23. */
export const LARGE_ANGLE_ERROR: number = 1.1920928955078125e-7;
/** 2^-22: absolute between 1/2 and 2, relative outside. */
export const LOGARITHM_ERROR: number = 2.384185791015625e-7;
/** 2^-23 and 2^-22.9, relative. */
export const ROOT_ERROR: number = 1.1920928955078125e-7;
export const INVERSE_ROOT_ERROR: number = 1.277653530283325e-7;
/** 2^-11, relative. */
export const TANGENT_ERROR: number = 0.00048828125;
/** The distance of neighboring f32 as a fraction of the power of two below them: 2^-23. */
export const ULP: number = 1.1920928955078125e-7;
/** The fraction of a bound that is used, 1 - 2^-20, so that rounding errors of the exact result do not matter. */
export const USED: number = 0.9999990463256836;

/** The normal f32. */
export const LEAST_NORMAL: number = 1.1754943508222875e-38;
export const GREATEST: number = 3.4028234663852886e38;

/** 2^-31 */
export const TO_UNIT: number = 4.656612873077393e-10;

/** The instructions, as the hash of their disturbances counts them. */
export const enum Approximate {
  div = 1,
  divFull = 2,
  rcp = 3,
  sqrt = 4,
  rsqrt = 5,
  sin = 6,
  cos = 7,
  lg2 = 8,
  ex2 = 9,
  tanh = 10,
  ex2Half = 11,
  ex2Brain = 12,
  tanhHalf = 13,
  tanhBrain = 14,
  rcpUpper = 15,
  rsqrtUpper = 16,
  rsqrtDouble = 17,
}

/** The constants of the hashes: the additive constant of a seed, and the multipliers of the mixing function. */
export const enum Hash {
  golden = 0x9e3779b9,
  first = 0x85ebca6b,
  second = 0xc2b2ae35,
  /** Distinguishes the bias of an instruction from the errors of its results. */
  bias = 0x2545f491,
}
