// Messages with parcels: the parcel itself, or where its worker can get it if it is too large for a message.

import { hash } from "node:crypto";
import { encodeParcel, encodeReference } from "../frames/parcel.js";
import type { Entry } from "./queue.js";
import { type Blobs, parcelOf } from "./sources.js";

/** A larger parcel is a blob. The server takes messages of 768 KB. */
const LARGEST = 640 * 2 ** 10;

/** @returns the message, and the blobs that it names, to be released */
export function messageOf(
  entries: readonly Entry[],
  blobs: Blobs,
  deflates: boolean,
): { readonly frame: Buffer; readonly hashes: readonly string[] } {
  const { parcel, hashes } = parcelOf(entries, blobs);
  const frame = encodeParcel(parcel, deflates);
  if (frame.length <= LARGEST) return { frame, hashes };
  const blob = blobs.keep(hash("sha256", frame), frame);
  return { frame: encodeReference(blob), hashes: [...hashes, blob.hash] };
}
