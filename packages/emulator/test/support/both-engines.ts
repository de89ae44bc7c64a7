// Runs bodies of kernels on both engines.
import { Interpreter } from "../../src/interpreter/index.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText, type Launched, launch } from "./launching.js";

/** Both engines, by name. */
export const ENGINES: Readonly<Record<string, () => Engine>> = {
  interpreter: () => new Interpreter(),
  webassembly: () => new Translator(),
};

/** `%r0` is the thread's index, and `%rd1` points to its word of the buffer. */
export const HEAD = `
	.reg .b32 %r<24>; .reg .b64 %rd<8>; .reg .pred %p<8>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;`;

/** The engine for a launch with checks: the named one, or the interpreter where it cannot represent what a kernel does. */
export const checkingEngine = (name: string): Engine => {
  const engine = ENGINES[name]!();
  if (!(engine instanceof Translator)) return engine;
  return {
    run: async (launch) =>
      (await engine.refusal(launch)) === undefined ? engine.run(launch) : new Interpreter().run(launch),
  };
};

export interface Given {
  readonly before?: string;
  readonly threads: number;
  readonly words?: number;
  readonly target?: string;
}

/** Runs a body on an engine. */
export const run = async (
  engine: string,
  body: string,
  { before = "", threads, words, target = "sm_90" }: Given,
): Promise<Launched> =>
  launch(ENGINES[engine]!(), {
    ptx: kernelText(HEAD + body, { before, target }),
    block: [threads, 1, 1],
    args: [{ buffer: new Uint32Array(words ?? threads) }],
  });
/** The words of the first buffer. */
export const values = ({ buffers }: Launched): number[] => [...new Uint32Array(buffers[0]!.slice().buffer)];
