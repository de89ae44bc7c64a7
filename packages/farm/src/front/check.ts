// Checks that an answer matches the jobs of its parcel. If it does not, its worker is broken or lies.

import { readCubin } from "@mm-ptx/cuda";
import { isCubinFor } from "@mm-ptx/cuda/backend";
import { wrong } from "../frames/frame.js";
import type { Answer } from "../frames/outcomes.js";
import type { OpenParcel } from "./parcels.js";

/** @throws FarmError `FRAME`, CubinError for a cubin that can't be read */
export function checkAnswer({ first, outcomes, refused }: Answer, { entries }: OpenParcel): void {
  if (refused !== undefined) throw wrong("a worker that takes the parcel", refused);
  const end = first + outcomes.length;
  if (outcomes.length === 0 || end > entries.length)
    throw wrong(`outcomes of ${entries.length} jobs`, `those from ${first} to ${end}`);
  outcomes.forEach((outcome, i) => {
    if (outcome.kind !== "compiled") return;
    const { arch } = entries[first + i]!.job.target;
    if (!isCubinFor(outcome.cubin, arch))
      throw wrong(`a cubin for ${arch}`, `one for ${readCubin(outcome.cubin).arch}`);
  });
}
