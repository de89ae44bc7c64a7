// Runs PTX on an engine without a device around it: buffers in, bytes out.
import { onTestFinished } from "vitest";
import { checkProgram } from "../../src/index.js";
import type { Dimensions } from "../../src/run/dimensions.js";
import type {
  Engine,
  LaunchHooks,
  LaunchLimits,
  LaunchOutcome,
  LoadedProgram,
} from "../../src/run/launch.js";
import { loadProgram } from "../../src/run/load.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { PagedMemory } from "../../src/run/paged-memory.js";

/** A launch argument: a buffer's contents, or the bytes of a value. */
export type Argument = { readonly buffer: ArrayBufferView } | { readonly value: ArrayBufferView };

export interface Launching {
  readonly ptx: string;
  /** The first kernel of the text by default. */
  readonly kernel?: string;
  readonly grid?: Dimensions;
  readonly block?: Dimensions;
  readonly dynamicSharedBytes?: number;
  readonly args?: readonly Argument[];
  readonly limits?: Partial<LaunchLimits>;
  readonly hooks?: Partial<LaunchHooks>;
  /** Whether other CPU threads might use the memory, too. */
  readonly shared?: boolean;
}

export interface Launched extends LaunchOutcome {
  /** The contents of the buffers afterwards, in the order of the arguments; nothing for values. */
  readonly buffers: readonly Uint8Array[];
  readonly printed: readonly string[];
  /** Addresses of the buffers. */
  readonly addresses: readonly bigint[];
}

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Runs a launch on an engine. @throws EmulatorError if the text is wrong */
export async function launch(engine: Engine, launching: Launching): Promise<Launched> {
  const text = new LoadedText(launching.ptx, launching.shared);
  try {
    return await text.launch(engine, launching);
  } finally {
    text.close();
  }
}

/** A text for the test that runs; its memory serves later ones. */
export function loadText(ptx: string): LoadedText {
  const text = new LoadedText(ptx);
  onTestFinished(() => text.close());
  return text;
}

/** A checked text in a memory of its own. Loading it once is much cheaper than loading one text for each launch. */
export class LoadedText {
  readonly #memory: PagedMemory;
  readonly #loaded: LoadedProgram;

  /** @throws EmulatorError if the text is wrong */
  constructor(ptx: string, shared = false) {
    this.#memory = new PagedMemory(2 ** 26, shared);
    this.#loaded = loadProgram(checkProgram(ptx), this.#memory);
  }

  close(): void {
    this.#memory.close();
  }

  async launch(engine: Engine, launching: Omit<Launching, "ptx" | "shared">): Promise<Launched> {
    const memory = this.#memory;
    const kernel = this.#loaded.program.functions.find(
      ({ kind, name }) => kind === "entry" && name === (launching.kernel ?? name),
    )!;
    const params = new Uint8Array(kernel.parameterBytes);
    const offsets: (number | undefined)[] = [];
    (launching.args ?? []).forEach((argument, index) => {
      const { offset } = kernel.variables[kernel.parameters[index]!]!;
      if ("value" in argument) {
        params.set(bytesOf(argument.value), offset);
        offsets.push(undefined);
        return;
      }
      const place = memory.take(argument.buffer.byteLength);
      new Uint8Array(memory.memory.buffer).set(bytesOf(argument.buffer), place);
      new DataView(params.buffer).setBigUint64(offset, BigInt(ADDRESS_BASE + place), true);
      offsets.push(place);
    });
    const printed: string[] = [];
    const outcome = await engine.run({
      loaded: this.#loaded,
      kernel,
      grid: launching.grid ?? [1, 1, 1],
      block: launching.block ?? [1, 1, 1],
      dynamicSharedBytes: launching.dynamicSharedBytes ?? 0,
      params,
      limits: { instructions: Infinity, deadline: Infinity, signal: undefined, ...launching.limits },
      hooks: { print: (text) => printed.push(text), ...launching.hooks },
    });
    const after = new Uint8Array(memory.memory.buffer);
    const buffers = (launching.args ?? []).map((argument, index) =>
      "value" in argument
        ? new Uint8Array(0)
        : after.slice(offsets[index]!, offsets[index]! + argument.buffer.byteLength),
    );
    const addresses = offsets.map((offset) => BigInt(ADDRESS_BASE + (offset ?? 0)));
    return { ...outcome, buffers, printed, addresses };
  }
}

/** A text with one kernel, whose parameters are addresses named `p0`, `p1`, …, loaded into `%a0`, `%a1`, …. */
export function kernelText(body: string, options: KernelTextOptions = {}): string {
  return kernelsText({ kernel: body }, options);
}

interface KernelTextOptions {
  readonly params?: number;
  readonly target?: string;
  readonly before?: string;
}

/** A text with a kernel like that of `kernelText` for each body, under its name. */
export function kernelsText(
  bodies: Readonly<Record<string, string>>,
  { params = 1, target = "sm_90", before = "" }: KernelTextOptions = {},
): string {
  const names = Array.from({ length: params }, (_, index) => index);
  return [
    ".version 9.0",
    `.target ${target}`,
    ".address_size 64",
    before,
    ...Object.entries(bodies).flatMap(([kernel, body]) => [
      `.visible .entry ${kernel}(${names.map((index) => `.param .u64 p${index}`).join(", ")})`,
      "{",
      "\t.reg .b64 %a<8>;",
      ...names.map((index) => `\tld.param.u64 %a${index}, [p${index}];`),
      body,
      "\tret;",
      "}",
    ]),
    "",
  ].join("\n");
}
