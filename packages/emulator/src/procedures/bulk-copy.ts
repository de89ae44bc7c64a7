// Bulk copies without tensor maps (PTX ISA, cp.async.bulk), which complete immediately.
import type { Operation } from "../program/operation.js";
import { changeBytes } from "./barrier-object.js";
import type { Procedure, ProcedureHost } from "./procedure.js";

/** Addresses and sizes are multiples of this. */
const UNIT = 16;

function copy(
  host: ProcedureHost,
  to: { readonly address: bigint; readonly space: "global" | "shared" },
  from: { readonly address: bigint; readonly space: "global" | "shared" },
  size: number,
): void {
  if (size % UNIT !== 0)
    throw host.trap(`expected a multiple of ${UNIT} bytes as the size of a bulk copy, found ${size}`);
  for (let at = 0; at < size; at += UNIT) {
    const source = host.place(from.address + BigInt(at), from.space, UNIT, "load");
    const target = host.place(to.address + BigInt(at), to.space, UNIT, "store");
    const { view } = host;
    const low = view.getBigUint64(source, true);
    const high = view.getBigUint64(source + 8, true);
    view.setBigUint64(target, low, true);
    view.setBigUint64(target + 8, high, true);
  }
}

/** The procedure of a form of `cp.async.bulk`; undefined for waits for copies. */
export function bulkCopy({ words }: Operation): Procedure | undefined {
  if (words.has("commit_group") || words.has("wait_group")) return undefined;
  if (words.has("bulk_group")) {
    return (host, [to, from, size]) => {
      copy(host, { address: to!, space: "global" }, { address: from!, space: "shared" }, Number(size));
      return [];
    };
  }
  return (host, [to, from, size, barrier]) => {
    copy(host, { address: to!, space: "shared" }, { address: from!, space: "global" }, Number(size));
    changeBytes(host, barrier!, "shared", -size!);
    return [];
  };
}
