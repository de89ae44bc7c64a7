// How programs become stubs at a site.
import { hash } from "node:crypto";
import type { AnnotatedPtx, Injection } from "@mm-ptx/inject";
import type { AstTable, StackTable } from "@mm-ptx/types/core";

/** How a site is filled: made by `stackSite`, `astSite` or `textSite`. */
export interface Site<Program = unknown> {
  /** The machine that makes its stubs. */
  readonly kind: "stack" | "ast" | "text";
  /** The table of its programs; absent for text. */
  readonly table?: StackTable | AstTable;
  /** Prepares it for the operands of an injection. @internal */
  bind(annotated: AnnotatedPtx, injection: Injection): StubWriter<Program>;
}

/** What makes the stubs of one site. */
export interface StubWriter<Program = unknown> {
  /** 32 hex digits that are equal for programs whose stubs compute the same. Throws if the program has no stub. */
  signature(program: Program): string;
  /** The stub of a program. Throws if it has none. */
  stub(program: Program): string;
  /** Writes the features of a program, as `CODE_FEATURES` of `@mm-ptx/types/code` names them. Throws if it has no stub. */
  describe?(program: Program, features: Float32Array): void;
  /** Whether a stub that it made only computes values from its operands. If this is not known, the stub itself is examined. */
  isPlain?(stub: string): boolean;
}

/** The first 128 bits of the SHA-256 of a text, as 32 hex digits. */
export const digest = (text: string): string => hash("sha256", text, "hex").slice(0, 32);

/** How the sites of a kernel are filled, by their names. */
// biome-ignore lint/suspicious/noExplicitAny: sites of all kinds of programs
export type SiteRecord = Readonly<Record<string, Site<any>>>;
