// What WebAssembly can do on this machine: whether it may be compiled at all, which a page can forbid, and relaxed
// SIMD, in which a * b + c is rounded once on processors with fused multiply-add. Node 20 has relaxed SIMD behind a
// flag that can be set at run time.
import { compilesWebAssembly } from "@mm-ptx/types/internal";
import type { ValueType } from "../program/types.js";
import { Code } from "./binary/code.js";
import { ModuleBuilder } from "./binary/module.js";

/** The capabilities of the machine's WebAssembly engine. */
export interface Capabilities {
  /** Whether WebAssembly may be compiled. */
  readonly compiles: boolean;
  /** Whether relaxed_madd of f32x4 and f64x2 exists and rounds once. */
  readonly fusedMultiplyAdd: boolean;
}

const FLAG = "--experimental-wasm-relaxed-simd";

let found: Capabilities | undefined;

/** Detects the capabilities of this machine on the first call. */
export function capabilities(): Capabilities {
  if (found === undefined) {
    const compiles = compilesWebAssembly();
    found = { compiles, fusedMultiplyAdd: compiles && (fusesAsIs() || (allowRelaxed() && fusesAsIs())) };
  }
  return found;
}

/** Enables relaxed SIMD in Node's V8; returns whether V8's flags are available. */
function allowRelaxed(): boolean {
  type V8 = { setFlagsFromString?: (flag: string) => void };
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => V8 | undefined } };
  const v8 = process?.getBuiltinModule?.("node:v8");
  v8?.setFlagsFromString?.(FLAG);
  return v8 !== undefined;
}

// (1 + 2^-12)^2 - (1 + 2^-11) is exactly 2^-24, but 0 when the product is rounded first. The f64 probe works the same
// way.
const PROBES = [
  { type: "f32", lanes: "f32x4", a: 0x3f800800n, c: 0xbf801000n },
  { type: "f64", lanes: "f64x2", a: 0x3ff0000008000000n, c: 0xbff0000010000000n },
] as const;

function fusesAsIs(): boolean {
  return PROBES.every(({ type, lanes, a, c }) => {
    const builder = new ModuleBuilder();
    const code = new Code(0);
    const constant = (bits: bigint) =>
      (type === "f32" ? code.f32(bits) : code.f64(bits)).op(`${lanes}.splat`);
    constant(a);
    constant(a);
    constant(c);
    code.op(`${lanes}.relaxed_madd`).lane(`${lanes}.extract_lane`, 0);
    const probe = builder.function({ parameters: [], results: [type satisfies ValueType] });
    builder.define(probe, code);
    builder.export("probe", probe);
    const bytes = builder.encode();
    if (!WebAssembly.validate(bytes)) return false;
    const memory = new WebAssembly.Memory({ initial: 1 });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    return (exports.probe as () => number)() !== 0;
  });
}
