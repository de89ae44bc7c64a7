// Runs cases on two devices through the `Device` interface and reports the differences.

import { BF16, decode, F16 } from "../../../packages/columns/src/arithmetic/index.js";
import type { DescribedInstruction } from "../../../packages/emulator/test/support/described.js";
import type { Contents } from "../../../packages/emulator/test/support/kernel-case.js";
import { runCase } from "../../../packages/emulator/test/support/run-case.js";
import type { Device } from "../../../packages/types/dist/device/index.js";
import type { HardwareCase } from "./hardware-cases.js";
import { floatOf } from "./words.js";

/** The outcome of a comparison. */
export interface Comparison {
  readonly device: string;
  readonly arch: string;
  readonly cases: number;
  /** Count of results that are equal bit for bit. */
  readonly equal: number;
  /** Count of results that are not equal, but as near as PTX or the case requires. */
  readonly near: number;
  /** The differences in words. */
  readonly different: readonly string[];
}

/** Runs every case on both devices. */
export async function compareDevices(
  reference: Device,
  device: Device,
  cases: readonly HardwareCase[],
): Promise<Comparison> {
  let equal = 0;
  let near = 0;
  const different: string[] = [];
  for (const each of cases) {
    const [wanted, found] = [await run(reference, each), await run(device, each)];
    const names = Object.keys(each.buffers).filter((name) => !sameBytes(wanted.get(name)!, found.get(name)!));
    const problems = names.flatMap(
      (name) => problemOf(each, name, wanted.get(name)!, found.get(name)!) ?? [],
    );
    if (names.length === 0) equal++;
    else if (problems.length === 0) near++;
    else different.push(`${each.name}: ${problems[0]}`);
  }
  return { device: device.name, arch: device.arch, cases: cases.length, equal, near, different };
}

async function run(device: Device, given: HardwareCase): Promise<ReadonlyMap<string, Contents>> {
  using module = device.load(given.ptx);
  return await runCase(device, module, given);
}

const bytesOf = ({ buffer }: Contents): Uint8Array => new Uint8Array(buffer);
const sameBytes = (a: Contents, b: Contents): boolean =>
  bytesOf(a).every((byte, index) => byte === bytesOf(b)[index]);

/** The first element that is too far from the reference; `undefined` if all are near enough. */
function problemOf(given: HardwareCase, name: string, wanted: Contents, found: Contents): string | undefined {
  if (given.approximate !== undefined) {
    return approximateProblem(given.approximate, wanted as BigUint64Array, found as BigUint64Array);
  }
  const tolerance = given.tolerance?.[name];
  for (let at = 0; at < wanted.length; at++) {
    const [expected, value] = [wanted[at]!, found[at]!];
    if (Object.is(expected, value)) continue;
    const error = Math.abs(Number(value) - Number(expected));
    if (tolerance !== undefined && error <= tolerance * Math.max(1, Math.abs(Number(expected)))) continue;
    return `${name}[${at}]: emulator ${shown(expected)}, device ${shown(value)}`;
  }
  return undefined;
}

const shown = (value: number | bigint): string =>
  typeof value === "bigint" ? `0x${value.toString(16)}` : String(value);

interface Bound {
  readonly of: RegExp;
  /** The largest magnitude of the first argument for which it holds. */
  readonly upTo?: number;
  readonly relative?: number;
  readonly absolute?: number;
}

/**
 * PTX ISA 9.0, Floating-Point Instructions; the first bound that fits counts, and without one nothing is
 * promised. 2^-23 is at most an ulp.
 */
const BOUNDS: readonly Bound[] = [
  { of: /^(sin|cos)\.approx/, upTo: 2 * Math.PI, absolute: 2 ** -20.5 },
  { of: /^(sin|cos)\.approx/, upTo: 100 * Math.PI, absolute: 2 ** -14.7 },
  { of: /^(div\.(approx|full)|ex2\.approx)(\.ftz)?\.f32/, relative: 2 * 2 ** -23 },
  { of: /^(rcp|sqrt)\.approx(\.ftz)?\.f32/, relative: 2 ** -23 },
  { of: /^rsqrt\.approx(\.ftz)?\.f32/, relative: 2 ** -22.9 },
  { of: /^lg2\.approx/, relative: 2 ** -22, absolute: 2 ** -22 },
  { of: /^tanh\.approx\.f32/, relative: 2 ** -11 },
  { of: /^ex2\.approx\.f16/, relative: 2 ** -9.9 },
  { of: /^ex2\.approx\.ftz\.bf16/, relative: 2 ** -7 },
  { of: /^tanh\.approx\.f16/, absolute: 2 ** -10.987 },
  { of: /^tanh\.approx\.bf16/, relative: 2 ** -8 },
  { of: /\.f64$/, relative: 2 ** -20 },
];
/** Relative to the nearest value; absolute below the normal numbers. */
const HALF_STEP: Readonly<Record<string, readonly [relative: number, absolute: number]>> = {
  F32: [2 ** -24, 2 ** -126],
  F16: [2 ** -11, 2 ** -14],
  BF16: [2 ** -8, 2 ** -126],
  F64: [2 ** -53, 2 ** -1022],
};

const view = new DataView(new ArrayBuffer(8));

/** The numbers in a slot. */
function numbersOf(bits: bigint, type: string): readonly number[] {
  if (type === "F32") return [floatOf(Number(bits & 0xffffffffn))];
  if (type === "F64") {
    view.setBigUint64(0, bits);
    return [view.getFloat64(0)];
  }
  const format = type.startsWith("BF16") ? BF16 : F16;
  const halves = type.endsWith("X2") ? [bits & 0xffffn, (bits >> 16n) & 0xffffn] : [bits & 0xffffn];
  return halves.map((half) => decode(format, Number(half)));
}

function approximateProblem(
  { ptx, sources, results }: DescribedInstruction,
  wanted: BigUint64Array,
  found: BigUint64Array,
): string | undefined {
  const width = sources.length + results.length;
  const type = results[0]!;
  const [relative, absolute] = HALF_STEP[type.replace("X2", "")]!;
  for (let at = sources.length; at < wanted.length; at += width) {
    const argument = wanted[at - sources.length]!;
    const values = numbersOf(found[at]!, type);
    const isNear = numbersOf(wanted[at]!, type).every((expected, lane) => {
      const value = values[lane]!;
      if (Object.is(expected, value) || (Number.isNaN(expected) && Number.isNaN(value))) return true;
      const size = Math.abs(numbersOf(argument, sources[0]!)[lane]!);
      const bound = BOUNDS.find(({ of, upTo = Number.POSITIVE_INFINITY }) => of.test(ptx) && size <= upTo);
      if (bound === undefined) return true;
      const allowed =
        Math.max((bound.relative ?? 0) * Math.abs(expected), bound.absolute ?? 0) +
        Math.max(relative * Math.abs(expected), absolute);
      return Math.abs(value - expected) <= allowed;
    });
    if (!isNear) return `${shown(argument)}: emulator ${shown(wanted[at]!)}, device ${shown(found[at]!)}`;
  }
  return undefined;
}
