// The resources that a program may have of a device, and the steps that it may take with them: for properties
// over sequences.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { f32, u32 } from "@mm-ptx/types/device";
import type { CudaDevice } from "../../../src/index.js";
import { CudaError } from "../../../src/index.js";
import { PTX } from "./device.js";
import type { FakeDriver } from "./fake-driver.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const SHAPE = { grid: 1, block: 32 };

/** A step with two numbers that make its choices. */
export interface Choice {
  readonly step: StepName;
  readonly a: number;
  readonly b: number;
}

/** One of several values, if there are any. */
const pick = <T>(all: readonly T[], number: number): T | undefined => all[number % all.length];

export class World {
  readonly device: CudaDevice;
  readonly fake: FakeDriver;
  buffers: ReturnType<CudaDevice["allocate"]>[] = [];
  hosts: ReturnType<CudaDevice["allocateHost"]>[] = [];
  streams: ReturnType<CudaDevice["createStream"]>[];
  events: ReturnType<CudaDevice["createEvent"]>[] = [];
  pools: ReturnType<CudaDevice["createPool"]>[] = [];
  modules: ReturnType<CudaDevice["load"]>[] = [];
  graphs: ReturnType<ReturnType<CudaDevice["createStream"]>["capture"]>[] = [];
  prepared: ReturnType<ReturnType<World["kernel"]>["prepare"]>[] = [];
  /** Waits for work; none of them is ever rejected. */
  readonly waits: Promise<void>[] = [];
  /** Failures that are not a CudaError. */
  readonly surprises: unknown[] = [];
  readonly #orders: readonly string[];

  constructor(device: CudaDevice, fake: FakeDriver, orders: readonly string[] = []) {
    this.device = device;
    this.fake = fake;
    this.#orders = orders;
    this.streams = [device.stream];
    // Gives short sequences something to work with.
    for (const step of BEGINNING) this.take({ step, a: 1, b: 1 });
  }

  kernel(number: number) {
    return pick(this.modules, number)!.kernel("scale");
  }

  /** Takes a step. An impossible step throws a CudaError. */
  take({ step, a, b }: Choice): void {
    try {
      const result: unknown = STEPS[step](this, a, b);
      if (result instanceof Promise)
        this.waits.push(
          result.then(
            () => {},
            (error) => this.#check(error),
          ),
        );
    } catch (error) {
      this.#check(error);
    }
  }

  /** Holds queued work back, or lets it run. */
  hold(held: boolean): void {
    this.fake.order(...this.#orders, ...(held ? ["hold streams"] : []));
  }

  /** Drops all references to resources of one kind. */
  forget(kind: number): void {
    const lists = [
      this.buffers,
      this.hosts,
      this.events,
      this.pools,
      this.modules,
      this.graphs,
      this.prepared,
    ];
    pick<unknown[]>(lists, kind)!.length = 0;
    if (kind % 3 === 0) this.streams.length = 1;
  }

  /** Everything that can be disposed. */
  owned(): { dispose(): void }[] {
    const streams = this.streams.filter((stream) => stream !== this.device.stream);
    return [this.buffers, this.hosts, streams, this.events, this.pools, this.modules, this.graphs].flat();
  }

  #check(error: unknown): void {
    if (!(error instanceof CudaError)) this.surprises.push(error);
  }
}

type StepOf = (world: World, a: number, b: number) => unknown;

const stream = ({ streams }: World, number: number) => pick(streams, number)!;

/** The steps by name. A step whose resources are missing does nothing. */
const STEPS = {
  allocate: (world, a) => void world.buffers.push(world.device.allocate(64 * (1 + (a % 4)))),
  allocateHost: (world, a) => void world.hosts.push(world.device.allocateHost(64 * (1 + (a % 4)))),
  createStream: (world) => void world.streams.push(world.device.createStream()),
  createEvent: (world) => void world.events.push(world.device.createEvent()),
  createPool: (world) => void world.pools.push(world.device.createPool()),
  load: (world) => void world.modules.push(world.device.load(PTX, { jit: true })),
  allocateFromPool: (world, a, b) => {
    const buffer = pick(world.pools, a)?.allocate(64, { stream: stream(world, b) });
    if (buffer !== undefined) world.buffers.push(buffer);
  },
  part: (world, a, b) => {
    const buffer = pick(world.buffers, a)?.part(b % 64);
    if (buffer !== undefined) world.buffers.push(buffer);
  },
  variable: (world, a) => {
    const buffer = pick(world.modules, a)?.global("table");
    if (buffer !== undefined) world.buffers.push(buffer);
  },
  prepare: (world, a, b) => {
    const buffer = pick(world.buffers, b);
    if (buffer !== undefined && world.modules.length > 0)
      world.prepared.push(world.kernel(a).prepare(SHAPE, [buffer, f32(1), u32(1)]));
  },
  capture: (world, a, b) => {
    const graph = stream(world, a).capture(() => {
      // Any step, on the same stream or another: many of them are invalid here.
      for (let i = 0; i <= b % 4; i++)
        world.take({ step: STEP_NAMES[(a * 7 + b + 5 * i) % STEP_NAMES.length]!, a, b: b + i });
    });
    world.graphs.push(graph);
  },
  launch: (world, a, b) => {
    const buffer = pick(world.buffers, b);
    if (buffer !== undefined && world.modules.length > 0)
      stream(world, a).launch(world.kernel(a + b), SHAPE, [buffer, f32(1), u32(1)]);
  },
  launchPrepared: (world, a, b) => {
    const prepared = pick(world.prepared, b);
    if (prepared !== undefined) stream(world, a).launchMany([prepared, prepared]);
  },
  launchGraph: (world, a, b) => pick(world.graphs, b)?.launch(stream(world, a)),
  fill: (world, a, b) => pick(world.buffers, b)?.fill(a % 256, { stream: stream(world, a) }),
  copyFrom: (world, a, b) =>
    pick(world.buffers, b)?.copyFrom(new Uint8Array(32), { stream: stream(world, a) }),
  read: (world, a, b) => pick(world.buffers, b)?.read({ stream: stream(world, a) }),
  copyFromHost: (world, a, b) => {
    const host = pick(world.hosts, a);
    if (host !== undefined)
      return pick(world.buffers, b)?.copyFrom(host.buffer, { stream: stream(world, a) });
  },
  copyToHost: (world, a, b) => {
    const host = pick(world.hosts, a);
    if (host !== undefined) return pick(world.buffers, b)?.copyTo(host.buffer, { stream: stream(world, b) });
  },
  copyDevice: (world, a, b) => {
    const source = pick(world.buffers, a);
    if (source !== undefined) return pick(world.buffers, b)?.copyFrom(source, { stream: stream(world, a) });
  },
  record: (world, a, b) => {
    const event = pick(world.events, b);
    if (event !== undefined) stream(world, a).record(event);
  },
  wait: (world, a, b) => {
    const event = pick(world.events, b);
    if (event !== undefined) stream(world, a).wait(event);
  },
  eventDone: (world, _a, b) => void pick(world.events, b)?.done,
  synchronizeEvent: (world, _a, b) => pick(world.events, b)?.synchronize(),
  synchronizeStream: (world, a) => stream(world, a).synchronize(),
  synchronize: (world) => world.device.synchronize(),
  disposeBuffer: (world, a) => pick(world.buffers, a)?.dispose(),
  disposeOne: (world, a) => pick(world.owned(), a)?.dispose(),
  disposeTwice: (world, a) => {
    pick(world.owned(), a)?.dispose();
    pick(world.owned(), a)?.dispose();
  },
  forget: (world, a) => world.forget(a),
  collect: () => collectGarbage(),
  hold: (world) => world.hold(true),
  release: (world) => world.hold(false),
} as const satisfies Record<string, StepOf>;

const BEGINNING: readonly StepName[] = [
  "allocate",
  "allocate",
  "allocateHost",
  "createStream",
  "createEvent",
  "createPool",
  "load",
];

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as StepName[];
