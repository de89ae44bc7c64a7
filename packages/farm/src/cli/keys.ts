// `keys`: makes a key for a worker, a submitter or a viewer.

import { addKey, listedKeys } from "../keys.js";
import type { Role } from "../server/roles.js";
import { columns, type Outcome, printable } from "./framework.js";

export interface KeysFlags {
  readonly folder?: string;
}

/** @throws FarmError */
export function keys(
  role: Exclude<Role, "admin"> | undefined,
  name: string | undefined,
  flags: KeysFlags,
): Outcome {
  const { folder = "mm-ptx-farm" } = flags;
  if (role === undefined) {
    const all = listedKeys(folder);
    return {
      ok: true,
      json: () => ({ ok: true, keys: all }),
      text: () =>
        all.length === 0
          ? "no keys: whoever reaches the server may connect\n"
          : `${columns(all.map((each) => [each.role, each.name, each.public])).join("\n")}\n`,
    };
  }
  const path = addKey(folder, role, name ?? role);
  return {
    ok: true,
    json: () => ({ ok: true, role, name: name ?? role, path }),
    text: () =>
      `${printable(path)}\ncopy this file to where it is used, and start \`mm-ptx-farm serve\` again, which then accepts it\n`,
  };
}
