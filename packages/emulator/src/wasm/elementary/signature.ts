// What elementary functions are called, and how.
import type { Signature } from "../binary/module.js";
import type { FUNCTIONS } from "./functions.js";

/** The mnemonic of an elementary instruction. */
export type ElementaryName = keyof typeof FUNCTIONS;

/** Functions of four f32, which only WebAssembly can call, because they take and return vectors. */
export type ElementaryFunctions = Readonly<Record<ElementaryName, WebAssembly.ExportValue>>;

/** Their signature. */
export const OF_VECTOR = { parameters: ["v128"], results: ["v128"] } as const satisfies Signature;
