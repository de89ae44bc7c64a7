// Graphs: captured work that can be launched repeatedly as a unit.

import type { DeviceGraph, DeviceStream } from "@mm-ptx/types/device";
import type { CudaDevice } from "./device.js";
import { destroyedBy, Handle, Resource } from "./handle.js";
import { type CaptureUse, checkNotCaptured, type Queue } from "./queue.js";
import { SUCCESS } from "./results.js";
import type { DeviceState } from "./state.js";

const LAUNCHED_GRAPH = { name: "a graph", launchWords: () => "a graph" };

/** An executable graph of a GPU (CUDA Driver API, Graph Management). */
export class CudaGraph extends Resource implements DeviceGraph {
  readonly #state: DeviceState;
  readonly #executable: Handle;
  readonly #uses: ReadonlySet<CaptureUse>;

  private constructor(state: DeviceState, executable: Handle, uses: ReadonlySet<CaptureUse>) {
    super("graph", executable);
    executable.enter();
    this.#state = state;
    this.#executable = executable;
    this.#uses = uses;
  }

  /**
   * Ends a capture. A failure of the captured function takes precedence over the driver failures that follow from it.
   * @internal
   */
  static captured(
    state: DeviceState,
    queue: Queue,
    uses: ReadonlySet<CaptureUse>,
    problem: { readonly error: unknown } | undefined,
  ): CudaGraph {
    const { connection } = queue;
    const ended = connection.ask("cuStreamEndCapture", [queue.handle]);
    // A failed capture produces no graph.
    const graph = ended.status === SUCCESS && ended.values[0] !== 0n ? ended.values[0] : undefined;
    const failure = queue.takeFailure();
    try {
      if (problem !== undefined) throw problem.error;
      if (failure !== undefined) throw failure;
      if (graph === undefined) throw connection.failure(ended);
      const value = connection.call("cuGraphInstantiate", [graph, 0]).values[0]!;
      return new CudaGraph(state, new Handle(connection, value, destroyedBy("cuGraphExecDestroy")), uses);
    } finally {
      if (graph !== undefined && !connection.gone) connection.post("cuGraphDestroy", [graph]);
    }
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  /** Whether the graph or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.device.disposed;
  }

  /**
   * Queues the whole graph on a stream.
   * @throws CudaError INVALID_ARGUMENT; DISPOSED, also for anything that its work uses; DEVICE_LOST
   */
  launch(on: DeviceStream): void {
    this.checkOpen();
    this.#executable.connection.check();
    const stream = this.#state.streamOf(on);
    const { queue } = stream;
    checkNotCaptured(queue);
    for (const use of this.#uses) use.check();
    queue.connection.post(
      "cuGraphLaunch",
      [this.#executable.value, queue.handle],
      queue.begin(LAUNCHED_GRAPH),
    );
    for (const use of this.#uses) use.useOn(queue);
    this.#executable.useOn(queue);
    queue.onLaunch?.();
  }
}
