// What is asked of a thread that counts flipped bits, and what it answers.
import type { HashFunction } from "./hash-function.js";
import type { Estimate, Rivals } from "./race.js";

export type RequestMessage =
  | { readonly kind: "race"; readonly hash: HashFunction; readonly rivals: Rivals }
  | { readonly kind: "count"; readonly hash: HashFunction; readonly from: number; readonly to: number };

export type AnswerMessage =
  | { readonly kind: "raced"; readonly estimate: Estimate | undefined }
  | { readonly kind: "counted"; readonly counts: Uint32Array };
