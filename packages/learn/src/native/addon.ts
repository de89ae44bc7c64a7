// Finds the native addon in Node. Browsers and platforms without an addon use WebAssembly.

/** The functions of native/learn/addon/addon.c. Those that take a model's memory return a status, which is 0 for success. */
export interface Addon {
  readonly version: string;
  /** The bytes of a model and of what its threads need, or 0 for a configuration that is out of range. */
  bytes(kind: number, numbers: Float64Array, workers?: number): number;
  init(kind: number, numbers: Float64Array, memory: Uint8Array): number;
  fit(
    memory: Uint8Array,
    values: Float32Array,
    labels: Float32Array,
    first: number,
    count: number,
    steps: number,
    workers?: number,
  ): number;
  step(memory: Uint8Array, rows: Float32Array, labels: Float32Array): number;
  update(memory: Uint8Array, rows: Float32Array, label: number): number;
  predict(
    memory: Uint8Array,
    rows: Float32Array,
    results: Float32Array,
    second: Float32Array | boolean | undefined,
    workers?: number,
  ): number;
  /** The bytes before the first multiple of 64 in a buffer. */
  offset(buffer: ArrayBuffer): number;
  /** The instruction sets of this processor that there is code for, the best one first. */
  isas(): string[];
  isa(): string;
  /** Sets the instruction set of all models in this process. */
  chooseIsa(name: string): number;
  message(status: number): string;
}

/** What is used of Node here, by names that projects without its types lack. */
interface NodeProcess {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: "module"): { createRequire(url: string): (path: string) => unknown } | undefined;
}

export interface FoundAddon {
  readonly addon: Addon | undefined;
  /** Each place that was tried, and what happened there. */
  readonly attempts: readonly string[];
}

const FILE = "mmptx-learn.node";
let found: FoundAddon | undefined;

/**
 * The addon: from the folder that `MM_PTX_NATIVE_DIR` names, otherwise from the platform package or the workspace. `MM_PTX_LEARN_ISA` may
 * name an instruction set to use in place of the fastest one.
 */
export function findAddon(): FoundAddon {
  found ??= search();
  return found;
}

function search(): FoundAddon {
  const attempts: string[] = [];
  const node = (globalThis as { readonly process?: NodeProcess }).process;
  const require = node?.getBuiltinModule?.("module")?.createRequire(import.meta.url);
  if (node === undefined || require === undefined)
    return { addon: undefined, attempts: ["this is not Node"] };
  const platform = `${node.platform}-${node.arch}`;
  const folder = node.env.MM_PTX_NATIVE_DIR;
  const places = [`@mm-ptx/learn-${platform}/${FILE}`, `../../npm/${platform}/${FILE}`];
  if (folder) places.unshift(`${folder}/${FILE}`);
  for (const place of places) {
    try {
      const addon = require(place) as Addon;
      const isa = node.env.MM_PTX_LEARN_ISA;
      if (isa && addon.chooseIsa(isa) !== 0) {
        attempts.push(
          `${place}: expected MM_PTX_LEARN_ISA to be one of ${addon.isas().join(", ")}, found ${isa}`,
        );
        return { addon: undefined, attempts };
      }
      return { addon, attempts };
    } catch (error) {
      const [first] = (error instanceof Error ? error.message : String(error)).split("\n");
      attempts.push(`${place}: ${first}`);
    }
  }
  return { addon: undefined, attempts };
}
