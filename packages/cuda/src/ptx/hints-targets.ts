// Hints about versions, architectures and what they have room for.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import type { FailedText } from "./failed-text.js";

/** By the beginning of `.version`, what a target needs; what the compiler itself says when it is asked. */
export const LEAST_VERSIONS: Readonly<Record<string, string>> = {
  sm_75: "6.3",
  sm_80: "7.0",
  sm_86: "7.1",
  sm_87: "7.4",
  sm_88: "7.3",
  sm_89: "7.8",
  sm_90: "7.8",
  sm_90a: "8.0",
  sm_100: "8.6",
  sm_100a: "8.6",
  sm_100f: "8.8",
  sm_103: "8.8",
  sm_103a: "8.8",
  sm_103f: "8.8",
  sm_110: "9.0",
  sm_110a: "9.0",
  sm_110f: "9.0",
  sm_120: "8.7",
  sm_120a: "8.7",
  sm_120f: "8.8",
  sm_121: "8.8",
  sm_121a: "8.8",
  sm_121f: "8.8",
};

const BLACKWELL_DATACENTER = ["sm_100a", "sm_100f", "sm_103a", "sm_103f"];
/** Instructions that only targets with a letter have, by the beginning of their names. */
export const ARCHITECTURE_FEATURES: Readonly<Record<string, readonly string[]>> = {
  wgmma: ["sm_90a"],
  setmaxnreg: ARCHITECTURES.filter(({ suffix }) => suffix !== "").map(({ name }) => name),
  tcgen05: [...BLACKWELL_DATACENTER, "sm_110a", "sm_110f"],
  "redux.f32": BLACKWELL_DATACENTER,
};

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** Whether an architecture is another or comes later; in the order of the list, letters aside. */
function reaches(arch: string, least: string): boolean {
  const bases = ARCHITECTURES.map(({ base }) => base);
  const needed = bases.indexOf(architecture(least)?.base ?? "");
  return needed !== -1 && bases.indexOf(architecture(arch)?.base ?? "") >= needed;
}

export function newerVersion(_: FailedText, found: string, newest: string): string {
  return `this compiler takes PTX up to ${newest}: write \`.version ${newest}\`, or compile with the ptxas of the toolkit that wrote ${found} (\`backend: "ptxas"\`)`;
}

export function versionOfTarget(_: FailedText, version: string, target: string): string | undefined {
  const least = LEAST_VERSIONS[target];
  return least && `\`${target}\` needs \`.version ${least}\` or later, the text has ${version}`;
}

export function laterTarget({ target, arch }: FailedText): string | undefined {
  if (target === undefined) return undefined;
  const later = target.endsWith("a") ? "" : " or later";
  return `the PTX is for \`${target}\`: compile for that${later} (\`arch\`), or make PTX for \`${arch}\``;
}

export function otherTarget({ arch }: FailedText, target: string): string {
  const base = architecture(target)?.base ?? target;
  const family = target.endsWith("f") ? " or another of its family" : "";
  return `PTX for \`${target}\` compiles for \`${target}\`${family} alone: give that \`arch\`, or write \`.target ${base}\` if it uses nothing special, to compile for \`${arch}\``;
}

export function featureNeedsTarget(text: FailedText, feature: string, ...rest: string[]): string | undefined {
  const least = rest.at(-1)!;
  const compile = reaches(text.arch, least) ? "" : `, and compile for \`${least}\` or later (\`arch\`)`;
  return `\`${feature}\` needs \`${least}\`: write \`.target ${least}\`${compile}`;
}

export function featureOfArchitecture(_: FailedText, feature: string): string | undefined {
  const known = Object.entries(ARCHITECTURE_FEATURES).find(([name]) => feature.startsWith(name));
  if (known === undefined) return undefined;
  return `\`${feature}\` is there for ${listed(known[1])}: write one as \`.target\`, and give the same \`arch\``;
}

export function featureNeedsVersion(_: FailedText, feature: string, ...rest: string[]): string {
  return `\`${feature}\` needs \`.version ${rest.at(-1)}\` or later`;
}

/** The compiler writes sizes in hexadecimal digits. */
const bytes = (size: string): string => `${Number(size)} bytes`;

export function tooMuchConstant(_: FailedText, found: string, allowed: string): string {
  return `${bytes(found)} found, ${bytes(allowed)} allowed: keep large tables in global memory`;
}

/** What kernels take from `.version` 8.1 on. */
const PARAMETER_BYTES = 32764;

export function tooManyParameters(_: FailedText, kernel: string, found: string, allowed: string): string {
  const cure =
    Number(found) <= PARAMETER_BYTES ? "write `.version 8.1` or later" : "pass a pointer to a structure";
  return `\`${kernel}\` takes ${bytes(found)}, ${bytes(allowed)} are allowed: ${cure}`;
}

export function tooMuchShared(_: FailedText, kernel: string, found: string, ...rest: string[]): string {
  return `\`${kernel}\` declares ${bytes(found)}, ${bytes(rest.at(-1)!)} are allowed: declare the rest as \`.extern .shared\`, and give its size at the launch`;
}
