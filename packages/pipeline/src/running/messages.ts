// Messages between the pipeline and the threads that run packs.
import type { EmulatedDeviceOptions } from "@mm-ptx/emulator";
import type { TypedArray } from "@mm-ptx/types/device";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { Reading } from "../reading/reading.js";
import type { PackAnswer, PackWork } from "./work.js";

/** Opens the thread's device. */
export interface OpenMessage {
  readonly kind: "open";
  readonly options: EmulatedDeviceOptions;
  readonly reading: Reading;
}

/** A pack to run. A plan is sent once, before the first pack that needs it, and so are the data of each input of all plans. */
export interface PackMessage {
  readonly kind: "pack";
  readonly work: Omit<PackWork, "plan">;
  readonly planId: number;
  readonly plan: ResolvedPlan | undefined;
  /** The data of inputs that are new, by their number. In the plan, they are empty. */
  readonly inputs: ReadonlyMap<number, TypedArray>;
}

export type RequestMessage = OpenMessage | PackMessage;

/** The answer to either. */
export interface AnswerMessage {
  readonly kind: "answer";
  readonly answer: PackAnswer | undefined;
}
