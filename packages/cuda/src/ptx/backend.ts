// What compiles PTX, seen from the compiler object. A backend takes one text and tells what became of it; queues, streams,
// signals and error classes are not its business.

import type { BackendName } from "./options.js";

/** Why a text was not given to the compiler. */
export type RefusalReason = "empty" | "nul" | "non-ascii" | "long-token";

/** What became of one compile. */
export type BackendOutcome =
  | {
      readonly kind: "compiled";
      readonly cubin: Uint8Array;
      readonly log: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly log: string;
      readonly milliseconds: number;
    }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly offset: number }
  | { readonly kind: "timeout"; readonly milliseconds: number };

/** How a compile failed, as far as the backend itself can tell; the log says the rest. */
export type Failure =
  | { readonly is: "refused-by-compiler" }
  | { readonly is: "unsupported-version" }
  | { readonly is: "memory" }
  | { readonly is: "crashed"; readonly how: string }
  | { readonly is: "internal"; readonly how: string };

export interface Backend {
  readonly name: BackendName;
  /** Of the compiler, for example `13.0.88`. */
  readonly version: string;
  /**
   * Starts a compile, or queues it when all workers are busy. `timeoutMs` (0: none) counts from the start of the compile.
   * `done` is called once, in a later turn of the event loop, unless the returned function forgot the job first.
   */
  start(ptx: string | Uint8Array, timeoutMs: number, done: (outcome: BackendOutcome) => void): () => void;
  /** Forgets every job and gives everything back. Twice without harm. */
  close(): void;
}
