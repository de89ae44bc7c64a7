// Constants of f64 in generated code.
import type { Code } from "../binary/code.js";

const view = new DataView(new ArrayBuffer(8));

/** Pushes an f64. */
export function pushDouble(code: Code, value: number): Code {
  view.setFloat64(0, value);
  return code.f64(view.getBigUint64(0));
}
