// The targets that descriptions distinguish, and the versions of the PTX ISA, oldest first.

import type { Requirement } from "../../packages/types/dist/index.js";
import type { Isa } from "./stub-kernel.js";

/** Each target with the first PTX ISA version that has it (PTX ISA, Release Notes). */
const TARGETS: readonly Isa[] = [
  { target: "sm_75", version: "6.3" },
  { target: "sm_80", version: "7.0" },
  { target: "sm_86", version: "7.1" },
  { target: "sm_89", version: "7.8" },
  { target: "sm_90", version: "7.8" },
  { target: "sm_100", version: "8.6" },
  { target: "sm_120", version: "8.7" },
];

const VERSIONS = [
  ...["6.3", "6.4", "6.5"],
  ...["7.0", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8"],
  ...["8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8"],
  "9.0",
];
export const NEWEST_VERSION = VERSIONS.at(-1)!;

/** Every target with the newest version. */
export const NEWEST_ISAS: readonly Isa[] = TARGETS.map(({ target }) => ({ target, version: NEWEST_VERSION }));

/** A target with each version that has it. */
export function versionsOf(target: string): Isa[] {
  const first = TARGETS.find((each) => each.target === target)!.version;
  return VERSIONS.slice(VERSIONS.indexOf(first)).map((version) => ({ target, version }));
}

/** Whether a target is the required one or a later one. */
export function allows(requires: Requirement | undefined, target: string): boolean {
  const place = (name: string): number => TARGETS.findIndex((each) => each.target === name);
  return requires?.target === undefined || place(requires.target) <= place(target);
}

/**
 * The entry of a description for which this is the minimum: without anything that the oldest target implies.
 */
export function requirementOf({ target, version }: Isa): Requirement {
  const oldest = TARGETS[0]!;
  return {
    ...(target === oldest.target ? {} : { target }),
    ...(version === oldest.version ? {} : { ptx: version }),
  };
}
