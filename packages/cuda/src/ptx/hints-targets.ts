// Hints about versions, architectures and their limits.

import { ARCHITECTURES, type Architecture, compilesFor, leastPtxVersion, ptxTarget } from "@mm-ptx/ptx";
import type { FailedText } from "./failed-text.js";

const namesWhere = (fits: (each: Architecture) => boolean): readonly string[] =>
  ARCHITECTURES.filter((each) => each.suffix !== "" && fits(each)).map(({ name }) => name);

/** Instructions that exist only on targets with a letter, by the prefix of their names. */
export const ARCHITECTURE_FEATURES: Readonly<Record<string, readonly string[]>> = {
  wgmma: ["sm_90a"],
  setmaxnreg: namesWhere(() => true),
  tcgen05: namesWhere((each) => each.family === "sm_100" || each.family === "sm_110"),
  "redux.f32": namesWhere((each) => each.family === "sm_100"),
};

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

export function newerVersion(_: FailedText, found: string, newest: string): string {
  return `this compiler takes PTX up to ${newest}: write \`.version ${newest}\`, or compile with the ptxas of the toolkit that produced ${found} (\`backend: "ptxas"\`)`;
}

export function versionOfTarget(_: FailedText, version: string, target: string): string | undefined {
  const least = leastPtxVersion(target);
  return least && `\`${target}\` needs \`.version ${least}\` or later, but the text has ${version}`;
}

/** What PTX compiles for besides the architecture of its `.target`, by the suffix of that. */
const OR_LATER: Readonly<Record<Architecture["suffix"], string>> = {
  "": " or later",
  a: "",
  f: " or a later one of its family",
};

const orLater = (target: string): string => OR_LATER[ptxTarget(target)?.suffix ?? ""];

export function laterTarget({ target, arch }: FailedText): string | undefined {
  if (target === undefined) return undefined;
  return `the PTX is for \`${target}\`: compile for that${orLater(target)} (\`arch\`), or produce PTX for \`${arch}\``;
}

export function otherTarget({ arch }: FailedText, target: string): string {
  const base = ptxTarget(target)?.base ?? target;
  return `PTX for \`${target}\` compiles for \`${target}\`${orLater(target)} only: pass that \`arch\`, or, if it uses no special features, write \`.target ${base}\` to compile for \`${arch}\``;
}

export function featureNeedsTarget(text: FailedText, feature: string, ...rest: string[]): string | undefined {
  const least = rest.at(-1)!;
  const compile = compilesFor(least, text.arch)
    ? ""
    : `, and compile for \`${least}\`${orLater(least)} (\`arch\`)`;
  return `\`${feature}\` needs \`${least}\`: write \`.target ${least}\`${compile}`;
}

export function featureOfArchitecture(_: FailedText, feature: string): string | undefined {
  const known = Object.entries(ARCHITECTURE_FEATURES).find(([name]) => feature.startsWith(name));
  if (known === undefined) return undefined;
  return `\`${feature}\` exists on ${listed(known[1])}: write one of them as \`.target\`, and pass the same \`arch\``;
}

export function featureNeedsVersion(_: FailedText, feature: string, ...rest: string[]): string {
  return `\`${feature}\` needs \`.version ${rest.at(-1)}\` or later`;
}

/** The compiler writes sizes in hexadecimal digits. */
const bytes = (size: string): string => `${Number(size)} bytes`;

export function tooMuchConstant(_: FailedText, found: string, allowed: string): string {
  return `${bytes(found)} found, ${bytes(allowed)} allowed: keep large tables in global memory`;
}

/** The parameter limit of kernels from `.version` 8.1 on. */
const PARAMETER_BYTES = 32764;

export function tooManyParameters(_: FailedText, kernel: string, found: string, allowed: string): string {
  const cure =
    Number(found) <= PARAMETER_BYTES ? "write `.version 8.1` or later" : "pass a pointer to a structure";
  return `\`${kernel}\` takes ${bytes(found)}, ${bytes(allowed)} are allowed: ${cure}`;
}

export function tooMuchShared(_: FailedText, kernel: string, found: string, ...rest: string[]): string {
  return `\`${kernel}\` declares ${bytes(found)}, ${bytes(rest.at(-1)!)} are allowed: declare the rest as \`.extern .shared\`, and pass its size at the launch`;
}
