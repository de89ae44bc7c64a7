// The conformance cases of Stack PTX 1.0: programs with their 1.1 form, and what both versions make of them.
import { readFileSync } from "node:fs";
import type { StackTable } from "@mm-ptx/types/core";
import type { StackRegister } from "../../src/index.js";

type HexWords = readonly string[];

interface FileTable {
  readonly stacks: readonly { readonly name: string; readonly literal_prefix: string }[];
  readonly args: readonly { readonly name: string; readonly stack: number; readonly num_vec_elems: number }[];
  readonly instructions: readonly {
    readonly name: string;
    readonly ptx: string;
    readonly args: readonly number[];
    readonly rets: readonly number[];
    readonly aligned: boolean;
  }[];
  readonly specials: readonly { readonly name: string; readonly ptx: string; readonly arg: number }[];
}

export interface LegacyVector {
  readonly id: number;
  readonly table: number;
  readonly words: HexWords;
  readonly routines?: readonly HexWords[];
  readonly registers: readonly { readonly name: string; readonly stack: number }[];
  readonly requests: readonly number[];
  readonly limits: {
    readonly max_ast_size: number;
    readonly max_ast_to_visit_stack_depth: number;
    readonly stack_size: number;
    readonly max_frame_depth: number;
    readonly store_size: number;
  };
  readonly execution_limit: number;
  readonly words_1_1?: HexWords;
  readonly routines_1_1?: readonly HexWords[];
  readonly text_1_1?: string;
  readonly error_1_1?: string;
  /** `program` is `main` or `routine N`. */
  readonly refused?: { readonly reason: string; readonly program: string; readonly word: number };
  /** Of complete words, of words without the return, and the same for the converted words. */
  readonly detect: readonly [string, string, string | null, string | null];
}

const file = JSON.parse(readFileSync(new URL("../vectors/stack-1.0.json", import.meta.url), "utf8")) as {
  tables: FileTable[];
  cases: LegacyVector[];
};

export const LEGACY_VECTORS: readonly LegacyVector[] = file.cases;

export const LEGACY_TABLES: readonly StackTable[] = file.tables.map(
  ({ stacks, args, instructions, specials }) => ({
    kind: "stack",
    fingerprint: "",
    bases: [],
    stackTypes: stacks.map(({ name, literal_prefix }) => ({ name, literalPrefix: literal_prefix })),
    argTypes: args.map(({ name, stack, num_vec_elems }) => ({
      name,
      stackIndex: stack,
      vectorElements: num_vec_elems,
    })),
    instructions: instructions.map(({ name, ptx, args, rets, aligned }) => ({
      name,
      ptx,
      args,
      results: rets,
      aligned,
    })),
    specialRegisters: specials.map(({ name, ptx, arg }) => ({ name, ptx, argType: arg })),
  }),
);

export const bytesOf = (words: HexWords): Uint8Array => new Uint8Array(Buffer.from(words.join(""), "hex"));

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

export const registersOf = ({ registers }: LegacyVector): StackRegister[] =>
  registers.map(({ name, stack }) => ({ name, stackIndex: stack }));
