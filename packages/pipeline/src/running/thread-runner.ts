// Runs packs on a thread that has an emulated device of its own, so that several packs are checked, translated and run at once.
import { Worker } from "node:worker_threads";
import type { EmulatedDeviceOptions } from "@mm-ptx/emulator";
import type { TypedArray } from "@mm-ptx/types/device";
import type { WorkerLike } from "@mm-ptx/types/internal";
import { WorkerHandle } from "@mm-ptx/types/internal/workers";
import { PipelineError } from "../error.js";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { Reading } from "../reading/reading.js";
import { faultOf } from "./fault.js";
import type { AnswerMessage, RequestMessage } from "./messages.js";
import type { PackAnswer, PackRunner, PackWork } from "./work.js";

const MODULE = new URL("./mm-ptx-pipeline-worker.js", import.meta.url);

/** Checking and translating leave much garbage that is never old. */
const RESOURCES = { maxYoungGenerationSizeMb: 96 };

/** How long a pack of an aborted run may go on. */
const GRACE_MS = 500;

export class ThreadRunner implements PackRunner {
  readonly #create: () => WorkerLike;
  readonly #options: EmulatedDeviceOptions;
  readonly #reading: Reading;
  #worker: WorkerHandle<RequestMessage, AnswerMessage> | undefined;
  readonly #plans = new Map<ResolvedPlan, number>();
  /** The inputs that the thread has, by their number. */
  readonly #inputs = new Set<number>();
  #isDisposed = false;

  /** @param createWorker makes a thread whose module is `@mm-ptx/pipeline/worker` */
  constructor(
    options: EmulatedDeviceOptions,
    reading: Reading,
    createWorker: (() => WorkerLike) | undefined,
  ) {
    this.#create = createWorker ?? (() => new Worker(MODULE, { execArgv: [], resourceLimits: RESOURCES }));
    this.#options = options;
    this.#reading = reading;
  }

  async run(work: PackWork, signal: AbortSignal): Promise<PackAnswer> {
    const { plan, ...rest } = work;
    // A pack that nobody waits for may run for long; one that ends soon leaves the thread for the next run.
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      timer = setTimeout(() => this.#end(), GRACE_MS);
    };
    signal.addEventListener("abort", end);
    try {
      const worker = await this.#opened();
      let planId = this.#plans.get(plan);
      const isNew = planId === undefined;
      if (planId === undefined) {
        planId = this.#plans.size;
        this.#plans.set(plan, planId);
      }
      const inputs = new Map<number, TypedArray>();
      for (const argument of isNew ? plan.args : [])
        if (argument.kind === "input" && !this.#inputs.has(argument.id))
          inputs.set(argument.id, argument.data);
      for (const id of inputs.keys()) this.#inputs.add(id);
      const sent = isNew ? withoutInputs(plan) : undefined;
      const { answer } = await worker.request(
        { kind: "pack", work: rest, planId, plan: sent, inputs },
        "answer",
      );
      return answer!;
    } catch (error) {
      this.#end();
      // The next pack starts another thread.
      return faultOf(error, this.#isDisposed ? "the pipeline was disposed" : undefined);
    } finally {
      signal.removeEventListener("abort", end);
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  async #opened(): Promise<WorkerHandle<RequestMessage, AnswerMessage>> {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new WorkerHandle<RequestMessage, AnswerMessage>({
      create: this.#create,
      lost: (found, cause) =>
        new PipelineError("DEVICE_LOST", `expected a thread that runs programs, found ${found}`, { cause }),
      cure: "",
    });
    this.#worker = worker;
    this.#plans.clear();
    this.#inputs.clear();
    await worker.request({ kind: "open", options: this.#options, reading: this.#reading }, "answer");
    return worker;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

const NO_DATA = new Uint8Array(0);

const withoutInputs = (plan: ResolvedPlan): ResolvedPlan => ({
  ...plan,
  args: plan.args.map((argument) => (argument.kind === "input" ? { ...argument, data: NO_DATA } : argument)),
});
