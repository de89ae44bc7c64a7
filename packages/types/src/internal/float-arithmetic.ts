// The arithmetic of f32 and the NaNs of PTX, which the packages of mm-ptx share among themselves. An entry of its own, because bundlers
// that split code would otherwise load it together with the other helpers. Nothing here is part of the public interface: any release
// may change or remove it.
export * as elementary from "./elementary.js";
export { cosine, exp2, log2, multiplyAdd, sine, tanh } from "./elementary.js";
export {
  approximateQuotient,
  CONVERTED_NAN_64,
  flushBelow,
  greater,
  INVALID_NAN_64,
  LEAST_NORMAL_32,
  lesser,
  NAN_32,
  QUIET_64,
} from "./floats.js";
