// The interpreter runs every program and serves every hook, without optimizations. Translated kernels are compared with
// it.
import { blockIndex, clusterBlocks } from "../run/block-index.js";
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";
import type { Fault } from "../run/fault.js";
import { blocksOf, type Engine, type Launch, type LaunchOutcome, MOST_RESIDENTS } from "../run/launch.js";
import { localBytesOf } from "../run/local-bytes.js";
import { NOWHERE_BYTES } from "../run/memory.js";
import { ifThereIsRoom } from "../run/room.js";
import { type ResidentHost, Residents } from "../schedule/residents.js";
import { type Execute, executor, InterpretedBlock } from "./block.js";
import { Cluster } from "./cluster.js";
import { compileFunction } from "./compile.js";
import { type Area, KernelFault, Machine } from "./machine.js";
import type { Code } from "./thread.js";

/** Instructions between two checks of the time. */
const SLICE = 50_000;

type Take = (bytes: number, label: string, visible?: boolean) => Area;

export class Interpreter implements Engine {
  async run(launch: Launch): Promise<LaunchOutcome> {
    const { memory } = launch.loaded;
    const taken: number[] = [];
    const take: Take = (bytes, label, visible = true) => {
      const offset = memory.take(Math.max(bytes, 1), { label, visible, ofLaunch: true });
      taken.push(offset);
      return { offset, bytes };
    };
    try {
      const machine = makeMachine(launch, take);
      const blocks = new LaunchBlocks(machine, take);
      return { engine: "interpreter", fault: await runBlocks(machine, blocks) };
    } finally {
      for (const offset of taken) memory.give(offset);
    }
  }
}

function makeMachine(launch: Launch, take: Take): Machine {
  const { kernel, loaded, params } = launch;
  const { functions } = loaded.program;
  const codes = new Map<number, Code>();
  const codeOf = (index: number): Code => {
    let code = codes.get(index);
    if (code === undefined) {
      code = compileFunction(machine, functions[index]!, index);
      codes.set(index, code);
    }
    return code;
  };
  const machine: Machine = new Machine(
    launch,
    take(params.length, "the kernel's parameters"),
    take(NOWHERE_BYTES, "memory for wrong accesses", false),
    localBytesOf(functions, kernel, loaded.stackBytes),
    new Map(kernel.shared.map(({ variable, offset }) => [variable, offset])),
    codeOf,
  );
  machine.refresh();
  machine.bytes.set(params, machine.params.offset);
  return machine;
}

/** The number of threads of a block. */
const threadsOf = ({ block }: Launch): number => block[0] * block[1] * block[2];

/** The blocks of a launch, in order of their number. */
class LaunchBlocks implements ResidentHost<InterpretedBlock> {
  /** The index of the block that began last. */
  index = 0;
  readonly #machine: Machine;
  readonly #take: Take;
  readonly #execute: Execute;
  readonly #residents: Residents<InterpretedBlock>;
  #count = 0;
  /** The cluster of the block that began last. */
  #cluster = new Cluster(1, 0);

  constructor(machine: Machine, take: Take) {
    this.#machine = machine;
    this.#take = take;
    this.#execute = executor(machine);
    this.#residents = new Residents(this.#resident(), this);
  }

  /** Runs all blocks, and yields whenever `machine.left` instructions have been executed. */
  *run(): Generator<void, void> {
    const machine = this.#machine;
    const { launch } = machine;
    const kernel = machine.codeOf(launch.loaded.program.functions.indexOf(launch.kernel));
    for (this.index = 0; this.index < blocksOf(launch); this.index++) {
      const { current } = this.#residents;
      const size = clusterBlocks(launch);
      const rank = this.index % size;
      if (rank === 0) this.#cluster = new Cluster(size, size * threadsOf(launch));
      current.join(this.#cluster, rank);
      this.enter(this.index, current);
      current.begin(kernel);
      machine.loop = undefined;
      let progress = current.goOn();
      for (; progress === "paused"; progress = current.goOn()) yield;
      if (progress === "waiting") yield* this.#residents.park(this.index);
    }
    while (!(yield* this.#residents.resume())) {}
  }

  more(): InterpretedBlock | undefined {
    if (this.#count >= MOST_RESIDENTS) return undefined;
    return ifThereIsRoom(() => this.#resident());
  }

  enter(index: number, resident: InterpretedBlock): void {
    resident.enter(blockIndex(this.#machine.launch, index));
  }

  #resident(): InterpretedBlock {
    const { launch, localBytes } = this.#machine;
    const { kernel, dynamicSharedBytes } = launch;
    const shared = this.#take(kernel.sharedBytes + dynamicSharedBytes, "shared memory");
    const locals = this.#take(localBytes * threadsOf(launch), "local memory");
    this.#machine.refresh();
    this.#count++;
    return new InterpretedBlock(this.#machine, this.#execute, { shared, locals });
  }
}

/** @returns why the launch stopped; undefined if it completed */
async function runBlocks(machine: Machine, blocks: LaunchBlocks): Promise<Fault | undefined> {
  const meter = new Meter(machine);
  try {
    for (const _ of blocks.run()) {
      const stop = await meter.refill();
      machine.launch.hooks.progress?.(blocks.index);
      if (stop !== undefined) return stop;
    }
    return undefined;
  } catch (error) {
    if (error instanceof KernelFault) return error.fault;
    throw error;
  }
}

/** Counts instructions and checks the time. */
class Meter {
  #budget: number;
  #lastTurn = performance.now();

  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#budget = machine.launch.limits.instructions;
    this.#grant();
  }

  /**
   * Grants the launch more instructions after a turn of the event loop.
   * @returns why the launch has to stop, if it does
   */
  async refill(): Promise<Fault | undefined> {
    const { limits } = this.#machine.launch;
    const { loop } = this.#machine;
    if (this.#budget <= 0) return { kind: "BUDGET", loop };
    const now = performance.now();
    if (now >= limits.deadline) return { kind: "TIMEOUT", loop };
    if (now - this.#lastTurn > TURN_MS) {
      await eventLoopTurn();
      this.#lastTurn = performance.now();
      this.#machine.refresh();
    }
    if (limits.signal?.aborted === true) return { kind: "ABORTED", loop };
    this.#grant();
    return undefined;
  }

  #grant(): void {
    const granted = Math.max(0, Math.min(SLICE, this.#budget));
    this.#budget -= granted;
    this.#machine.left = granted;
  }
}
