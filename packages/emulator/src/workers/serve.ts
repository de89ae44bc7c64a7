// The worker's side: translates the kernels that it receives and runs blocks of launches until none are left.
import { blocksOf, type LaunchPlan, type LoadedProgram } from "../run/launch.js";
import type { LinearMemory } from "../run/memory.js";
import { Stop } from "../wasm/fault.js";
import { KernelInstance } from "../wasm/instance.js";
import { translate } from "../wasm/kernel.js";
import { LaunchRun } from "../wasm/launch-run.js";
import type { Translation } from "../wasm/translation.js";
import { Control } from "./control.js";
import type {
  EndMessage,
  FromWorker,
  KernelMessage,
  LaunchMessage,
  MemoryMessage,
  ToWorker,
} from "./messages.js";

/** Returns the function that answers the messages of the caller. */
export function answerer(): (message: ToWorker) => Promise<FromWorker | undefined> {
  let worker: LaunchWorker | undefined;
  return async (message) => {
    if (message.kind === "memory") {
      worker = new LaunchWorker(message);
      return undefined;
    }
    return message.kind === "kernel" ? worker!.translate(message) : worker!.launch(message);
  };
}

/** A kernel that this worker has translated. */
interface Prepared {
  readonly loaded: LoadedProgram;
  readonly translation: Translation;
  readonly instance: KernelInstance;
}

class LaunchWorker {
  readonly #memory: LinearMemory;
  readonly #control: Control;
  readonly #kernels = new Map<number, Prepared>();

  constructor({ memory, pageTable, control }: MemoryMessage) {
    // Only the caller allocates memory.
    const refuse = () => {
      throw new Error("expected only the caller to allocate memory, found a worker that allocates");
    };
    this.#memory = { memory, pageTable, limit: memory.buffer.byteLength, take: refuse, give: refuse };
    this.#control = new Control(control);
  }

  async translate({
    id,
    program,
    addresses,
    stackBytes,
    kernel,
    machine,
    forget,
  }: KernelMessage): Promise<FromWorker> {
    for (const old of forget) this.#kernels.delete(old);
    const loaded = { program, addresses, stackBytes, memory: this.#memory };
    const translation = await translate(loaded, program.functions[kernel]!, machine);
    const instance = new KernelInstance(translation, this.#memory.memory);
    this.#kernels.set(id, { loaded, translation, instance });
    return { kind: "ready" };
  }

  launch({ id, areas, workers, instructions, ...shape }: LaunchMessage): EndMessage {
    const { loaded, translation, instance } = this.#kernels.get(id)!;
    // The caller may have grown the memory; growing it by 0 makes the new size visible here.
    this.#memory.memory.grow(0);
    const plan: LaunchPlan = {
      ...shape,
      loaded,
      kernel: translation.kernel,
      params: new Uint8Array(0),
      hooks: { print: () => {} },
    };
    const left = [...areas];
    const source = { take: () => left.shift()!, more: () => left.shift() };
    const meter = this.#control.meter(instructions, translation.takesTurns);
    const run = new LaunchRun(plan, translation, instance, source, meter);
    const total = blocksOf(plan);
    const begin = performance.now();
    const end = (stopped?: EndMessage["stopped"]): EndMessage => ({
      kind: "end",
      busy: performance.now() - begin,
      stopped,
    });
    try {
      // Where blocks may wait for each other, a worker only takes blocks that it can start right away.
      for (;;) {
        const blocks = this.#control.take(total, workers, translation.takesTurns ? 1 : instance.range);
        if (blocks === undefined) break;
        instance.timed(() => run.blocks(blocks.first, blocks.count));
        this.#control.finish(blocks);
      }
      while (!run.resume()) {}
      return end();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      const block = run.block();
      this.#control.fail(block);
      return end({ block, fault: error.fault });
    }
  }
}
