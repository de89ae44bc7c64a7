// Which engine runs a launch: the translated kernel where it can, the interpreter where somebody looks closer.
import { quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { Engine, Launch, TranslatingEngine } from "./launch.js";

/** The engines of a device. */
export interface Engines {
  readonly interpreter: Engine;
  /** Absent where nothing may be compiled to WebAssembly. */
  readonly translator: TranslatingEngine | undefined;
}

/** @throws EmulatorError UNSUPPORTED when the engine that was asked for can't run the launch */
export function chooseEngine(
  wanted: "auto" | "webassembly" | "interpreter",
  { interpreter, translator }: Engines,
  launch: Launch,
): Engine {
  if (wanted === "interpreter") return interpreter;
  const refusal = closerLook(launch) ?? (translator === undefined ? "none" : translator.refusal(launch));
  if (translator !== undefined && refusal === undefined) return translator;
  if (wanted === "auto") return interpreter;
  const kernel = quoted(launch.kernel.name);
  throw new EmulatorError(
    "UNSUPPORTED",
    `expected kernel ${kernel} as WebAssembly can run it, found ${refusal}`,
  );
}

const NAMES = {
  trace: "a trace",
  counts: "counts of instructions",
  races: "the check for races",
  uninitialized: "the check for uninitialised reads",
} as const;

/** What only the interpreter tells. */
function closerLook({ hooks }: Launch): string | undefined {
  return Object.entries(NAMES).find(([name]) => hooks[name as keyof typeof NAMES])?.[1];
}
