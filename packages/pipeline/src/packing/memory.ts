// Which memory an instruction reads and writes, and with which operands.
import type { Step } from "./steps.js";

/** The state space of an access; "generic" if only the address says it. */
export type Space = "const" | "generic" | "global" | "local" | "param" | "shared";

/** An access of memory, with the indices of the operands that take part. */
export interface Access {
  readonly space: Space;
  /** First the address, then what is added to it. */
  readonly address: readonly number[];
  /** What is written; `undefined` if the access only reads. */
  readonly written: readonly number[] | undefined;
  /** The operand that is set to what was read. */
  readonly read: number | undefined;
}

const SPACES: ReadonlyMap<string, Space> = new Map(
  (["const", "global", "local", "param", "shared"] as const).map((space) => [space, space]),
);

/** Modifiers of accesses that leave the block, or run on after the instruction. */
const REMOTE = new Set(["async", "bulk", "tensor", "shared::cluster"]);

/**
 * The accesses of an instruction: none if it does not touch memory; `undefined` if it is not known what it accesses.
 */
export function accessesOf({ name, modifiers, operands }: Step): readonly Access[] | undefined {
  const isCopy = name === "cp" && modifiers[0] === "async" && !modifiers.includes("bulk");
  if (!isCopy && modifiers.some((modifier) => REMOTE.has(modifier))) return undefined;
  const space = spaceOf(modifiers);
  const after = (first: number) => operands.slice(first).map((_, index) => first + index);
  switch (name) {
    case "ld":
    case "ldu":
      return [{ space, address: [1], written: undefined, read: 0 }];
    case "st":
      return [{ space, address: [0], written: after(1), read: undefined }];
    case "atom":
      return [{ space, address: [1], written: after(2), read: 0 }];
    case "red":
      return [{ space, address: [0], written: after(1), read: undefined }];
    case "ldmatrix":
      return [{ space: "shared", address: [1], written: undefined, read: 0 }];
    case "stmatrix":
      return [{ space: "shared", address: [0], written: after(1), read: undefined }];
    case "wmma":
      if (modifiers[0] === "load") return [{ space, address: [1, 2], written: undefined, read: 0 }];
      if (modifiers[0] === "store") return [{ space, address: [0, 2], written: [1], read: undefined }];
      return [];
    case "cp":
      if (!isCopy) return undefined;
      if (!modifiers.includes("global")) return [];
      return [
        { space: "global", address: [1], written: undefined, read: undefined },
        { space: "shared", address: [0], written: after(2), read: undefined },
      ];
    default:
      return [];
  }
}

function spaceOf(modifiers: readonly string[]): Space {
  for (const modifier of modifiers) {
    const space = SPACES.get(modifier.split("::", 1)[0]!);
    if (space !== undefined) return space;
  }
  return "generic";
}
