// The interpreter: runs every program and serves every hook, plainly. It is what the translated kernels are compared with.
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";
import type { Fault } from "../run/fault.js";
import type { Dimensions, Engine, Launch, LaunchOutcome } from "../run/launch.js";
import { localBytesOf } from "../run/local-bytes.js";
import { runBlock } from "./block.js";
import { compileFunction } from "./compile.js";
import { type Area, KernelFault, Machine } from "./machine.js";
import type { Code } from "./thread.js";
import { Watch } from "./watch.js";

/** Instructions between two looks at the clock. */
const SLICE = 50_000;

export class Interpreter implements Engine {
  async run(launch: Launch): Promise<LaunchOutcome> {
    const { memory } = launch.loaded;
    const taken: number[] = [];
    const take = (bytes: number, label: string): Area => {
      const offset = memory.take(Math.max(bytes, 1), { label });
      taken.push(offset);
      return { offset, bytes };
    };
    try {
      const machine = makeMachine(launch, take);
      return { engine: "interpreter", fault: await runBlocks(machine) };
    } finally {
      for (const offset of taken) memory.give(offset);
    }
  }
}

function makeMachine(launch: Launch, take: (bytes: number, label: string) => Area): Machine {
  const { kernel, loaded, block, hooks, params, dynamicSharedBytes } = launch;
  const { functions } = loaded.program;
  const localBytes = localBytesOf(functions, kernel);
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
    take(kernel.sharedBytes + dynamicSharedBytes, "shared memory"),
    take(params.length, "the kernel's parameters"),
    take(localBytes * block[0] * block[1] * block[2], "local memory"),
    localBytes,
    new Map(kernel.shared.map(({ variable, offset }) => [variable, offset])),
    codeOf,
  );
  if (hooks.races === true || hooks.uninitialized === true) {
    machine.watch = new Watch(hooks.races === true, hooks.uninitialized === true);
  }
  machine.refresh();
  machine.bytes.set(params, machine.params.offset);
  return machine;
}

/** Runs all blocks, in order of their linear index. @returns why it stopped, undefined when it came to its end */
async function runBlocks(machine: Machine): Promise<Fault | undefined> {
  const { launch } = machine;
  const [x, y, z] = launch.grid;
  const kernel = machine.codeOf(launch.loaded.program.functions.indexOf(launch.kernel));
  const meter = new Meter(machine);
  try {
    for (let index = 0; index < x * y * z; index++) {
      const block: Dimensions = [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))];
      machine.block = block;
      machine.loop = undefined;
      for (const _ of runBlock(machine, kernel)) {
        const stop = await meter.refill();
        launch.hooks.progress?.(index);
        if (stop !== undefined) return stop;
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof KernelFault) return error.fault;
    throw error;
  }
}

/** Counts instructions and looks at the clock. */
class Meter {
  private budget: number;
  private lastTurn = performance.now();

  constructor(private readonly machine: Machine) {
    this.budget = machine.launch.limits.instructions;
    this.grant();
  }

  /** Lets the launch go on for a while, after the event loop had its turn. @returns why it must not */
  async refill(): Promise<Fault | undefined> {
    const { limits } = this.machine.launch;
    const { loop } = this.machine;
    if (this.budget <= 0) return { kind: "BUDGET", loop };
    const now = performance.now();
    if (now >= limits.deadline) return { kind: "TIMEOUT", loop };
    if (now - this.lastTurn > TURN_MS) {
      await eventLoopTurn();
      this.lastTurn = performance.now();
      this.machine.refresh();
    }
    if (limits.signal?.aborted === true) return { kind: "ABORTED", loop };
    this.grant();
    return undefined;
  }

  private grant(): void {
    const granted = Math.max(0, Math.min(SLICE, this.budget));
    this.budget -= granted;
    this.machine.left = granted;
  }
}
