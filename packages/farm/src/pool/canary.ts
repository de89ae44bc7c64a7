// Fixed kernels whose cubins show what a compiler makes of constants that it folds, of loops and of too few registers. Compilers
// that differ in any of these cubins are not of one pool.

import { hash } from "node:crypto";
import { type Backend, type BackendOutcome, resolveOptions } from "@mm-ptx/cuda/backend";
import { FarmError } from "../error.js";

/** The number of these kernels. */
const CANARIES = 32;
const HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";

/** Every operation that a compiler folds, and the type of its operands. */
const OPERATIONS = [
  ["add.f32", 2],
  ["sub.f32", 2],
  ["mul.f32", 2],
  ["div.rn.f32", 2],
  ["div.full.f32", 2],
  ["fma.rn.f32", 3],
  ["sqrt.rn.f32", 1],
  ["rcp.approx.f32", 1],
  ["sqrt.approx.f32", 1],
  ["rsqrt.approx.f32", 1],
  ["sin.approx.f32", 1],
  ["cos.approx.f32", 1],
  ["ex2.approx.f32", 1],
  ["lg2.approx.f32", 1],
  ["tanh.approx.f32", 1],
  ["min.f32", 2],
] as const;

/** The text of kernel `index`, which is the same on every machine. */
function kernel(index: number): string {
  let state = 0x9e3779b9 ^ (index * 0x85ebca6b);
  const constant = (): string => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // From 2^-15 to 2^16.
    const exponent = 112 + (state >>> 27);
    const bits = ((exponent << 23) | (state & 0x7fffff)) >>> 0;
    return `0f${bits.toString(16).toUpperCase().padStart(8, "0")}`;
  };
  const lines = OPERATIONS.map(([operation, operands], i) => {
    const words = Array.from({ length: operands }, constant).join(", ");
    return `  ${operation} %f${i}, ${words};\n  st.global.f32 [%out+${4 * i}], %f${i};`;
  });
  const sums = Array.from({ length: 8 + index }, (_, i) => {
    const to = OPERATIONS.length + i;
    return `  fma.rn.f32 %f${to}, %f${to - 1}, ${constant()}, %f${to - 7};`;
  });
  const last = OPERATIONS.length + sums.length - 1;
  return `${HEAD}.visible .entry canary(.param .u64 p, .param .u32 n) {
  .reg .pred %more;
  .reg .b32 %i, %n;
  .reg .b64 %out;
  .reg .f32 %f<${last + 1}>;
  ld.param.u64 %out, [p];
  ld.param.u32 %n, [n];
${lines.join("\n")}
  mov.u32 %i, 0;
again:
${sums.join("\n")}
  mov.f32 %f${OPERATIONS.length - 1}, %f${last};
  add.u32 %i, %i, 1;
  setp.lt.u32 %more, %i, %n;
  @%more bra again;
  st.global.f32 [%out+${4 * OPERATIONS.length}], %f${last};
  ret;
}
`;
}

/** By the name and the version of a library, which a process loads once. */
const known = new Map<string, string>();

/**
 * The pool of a compiler of this machine, found out once in a process.
 *
 * @returns the pool, and how many kernels have been compiled for that
 * @throws FarmError `NO_COMPILER`, as `poolOf`
 */
export async function knownPool(
  backend: Backend,
): Promise<{ readonly pool: string; readonly compiles: number }> {
  const { name, version } = backend;
  const key = `${name} ${version}`;
  // Another ptxas may be found at the same place.
  const before = name === "ptxas" ? undefined : known.get(key);
  if (before !== undefined) return { pool: before, compiles: 0 };
  const pool = await poolOf(backend);
  known.set(key, pool);
  return { pool, compiles: CANARIES };
}

/**
 * What distinguishes the machine code of a compiler: its version, the processor that it runs on, and eight digits of a hash
 * over the cubins of fixed kernels, for example `13_0_88-x64-7f3a91c2`.
 *
 * @throws FarmError `NO_COMPILER` if it does not compile them
 */
export async function poolOf(backend: Backend): Promise<string> {
  const target = resolveOptions({ arch: "sm_90", cache: false });
  const compile = (text: string) =>
    new Promise<BackendOutcome>((resolve) => {
      backend.start({ source: text, target, timeoutMs: 0, priority: 0 }, resolve);
    });
  const outcomes = await Promise.all(Array.from({ length: CANARIES }, (_, index) => compile(kernel(index))));
  const cubins = outcomes.map((outcome) => {
    if (outcome.kind === "compiled") return outcome.cubin;
    const found = outcome.kind === "failed" ? `${outcome.failure.is}: ${outcome.log}` : outcome.kind;
    throw new FarmError("NO_COMPILER", `expected a compiler that compiles a small kernel, found ${found}`);
  });
  const version = backend.version.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return `${version.slice(0, 17)}-${process.arch}-${hash("sha256", Buffer.concat(cubins)).slice(0, 8)}`;
}

/** The version of the compiler in the name of a pool. */
export const versionOf = (pool: string): string =>
  pool
    .split("-")[0]!
    .replace(/^nvjitlink_/, "nvJitLink ")
    .replaceAll("_", ".");
