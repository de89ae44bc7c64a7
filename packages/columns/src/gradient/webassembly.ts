// Derivatives on the machine in WebAssembly: the module of gradients in the memory of the core module. It is loaded when first used.
import type { CodeBatch } from "@mm-ptx/types/code";
import type { Chunk, Pass, Views } from "../machine/chunk.js";
import type { CoreExports } from "../machine/core-kernels.js";
import { type DerivativeMachine, type FitPlan, type FitResults, roomOf } from "../machine/derivatives.js";
import { instantiate } from "../machine/instance.js";
import { FloatKernel } from "../machine/kernels.js";
import { Lane, State, Step } from "../machine/layout.js";
import type { LossData, Task } from "../machine/machine.js";
import { aligned, padded, type Wanted } from "../machine/task-layout.js";
import { MODULE } from "../wasm/gradient.js";
import { centeredTarget, errorKind, MOST_CONSTANTS, numbersOf, rootWeightsOf } from "./common.js";
import { Adjoint, ErrorKind, FitResult, Parameter, Room } from "./layout.js";

export { derivativeRule } from "./rules.js";

/** The parts of the core module that the module needs, besides its imports. */
interface Core extends CoreExports {
  readonly state: WebAssembly.Global<"i32">;
}

interface Exports {
  setRoom(address: number): void;
  fit(first: number, count: number): number;
}

/** The most reverse steps of an item: two for each of two operands, and one more for each. */
const STEPS_OF_ITEM = 6;

/** Runs a pass over the codes of a task. */
type RunPass = (
  task: Task,
  batch: CodeBatch,
  first: number,
  end: number,
  until: number,
  pass: Pass,
) => number;

/** Makes an instance of the module for a machine. */
export function webAssemblyDerivatives(
  memory: WebAssembly.Memory,
  core: Core,
  runPass: RunPass,
): DerivativeMachine {
  // Where the core module runs, this one does too.
  const exports = instantiate(MODULE, {
    env: { memory },
    core: core as unknown as WebAssembly.ModuleImports,
  }) as unknown as Exports;
  const kernels = { sine: core.floatKernel(FloatKernel.sin), cosine: core.floatKernel(FloatKernel.cos) };
  const state = core.state.value;
  return {
    run(task, plan, batch, first, end, results, until) {
      const loss = task.loss!;
      const errors = errorKind(loss) ?? ErrorKind.squared;
      let room: RoomLayout | undefined;
      const layOut = (words: number, codes: number): number => {
        room = layOutRoom(task, plan, errors, words, codes);
        return room.end;
      };
      return runPass(task, batch, first, end, until, {
        outputs: undefined,
        wanted: (): Wanted => ({ outputBytes: 0, cases: false, roomBytes: layOut }),
        begin(views, layout) {
          writeRoom(views, layout.room, room!, plan, loss, errors, kernels);
          views.words[(state + State.keep) / 4] = 1;
          exports.setRoom(layout.room);
        },
        start: ({ words }, layout, { from, count }) => {
          const seeds = words[(layout.room + Room.seeds) / 4]! / 4;
          if (plan.seeds !== undefined) words.set(plan.seeds.subarray(2 * from, 2 * (from + count)), seeds);
        },
        evaluate: (from, count) => exports.fit(from, count),
        read: (views, layout, chunk, done) => readChunk(views, layout.room, batch, chunk, done, results),
      });
    },
  };
}

/** The layout of the module's memory: offsets in bytes from its start. */
interface RoomLayout {
  readonly fields: ReadonlyMap<Room, number>;
  readonly rootWeights: number;
  readonly centered: number;
  readonly end: number;
}

function layOutRoom(
  { rows, loss, longest }: Task,
  plan: FitPlan,
  errors: ErrorKind,
  words: number,
  codes: number,
): RoomLayout {
  const items = longest >>> 1;
  let at: number = Room.bytes;
  const take = (bytes: number): number => {
    const from = at;
    at = aligned(at + bytes);
    return from;
  };
  const fields = new Map<Room, number>([
    [Room.adjoints, take(items * Adjoint.bytes)],
    [Room.steps, take(items * STEPS_OF_ITEM * Step.bytes)],
    [Room.parameters, take(items * Parameter.bytes)],
    [Room.numbers, take(numbersOf(plan, errors, items) * 8)],
    [Room.results, take(codes * FitResult.bytes)],
    [Room.constants, take(words * 2)],
    [Room.derivatives, take(words * 4)],
    [Room.seeds, take(codes * 8)],
  ]);
  const column = padded(rows) * 4;
  const rootWeights = take(loss?.weights === undefined ? 0 : column);
  const centered = take(errors === ErrorKind.scaled ? column : 0);
  return { fields, rootWeights, centered, end: at };
}

function writeRoom(
  { words, doubles, bytes }: Views,
  start: number,
  { fields, rootWeights, centered, end }: RoomLayout,
  { method, iterations, tolerance }: FitPlan,
  loss: LossData,
  errors: ErrorKind,
  { sine, cosine }: { readonly sine: number; readonly cosine: number },
): void {
  bytes.fill(0, start, start + end);
  const set = (field: Room, value: number): void => {
    words[(start + field) / 4] = value;
  };
  for (const [field, offset] of fields) set(field, start + offset);
  set(Room.method, method);
  set(Room.iterations, iterations);
  set(Room.errors, errors);
  set(Room.sine, sine);
  set(Room.cosine, cosine);
  set(Room.mostConstants, MOST_CONSTANTS);
  doubles[(start + Room.tolerance) / 8] = tolerance;
  doubles[(start + Room.divisor) / 8] = loss.divisor;
  const floats = new Float32Array(words.buffer);
  const roots = rootWeightsOf(loss);
  if (roots !== undefined) {
    floats.set(roots, (start + rootWeights) / 4);
    set(Room.rootWeights, start + rootWeights + Lane.word);
  }
  if (errors === ErrorKind.scaled) {
    floats.set(centeredTarget(loss), (start + centered) / 4);
    set(Room.centered, start + centered + Lane.word);
  }
}

/** Copies the results of the codes of a chunk that were not done before. */
function readChunk(
  { words, doubles }: Views,
  start: number,
  batch: CodeBatch,
  chunk: Chunk,
  end: number,
  { status, loss, lossBefore, evaluations, counts, constants, derivatives }: FitResults,
): void {
  const at = (field: Room): number => words[(start + field) / 4]!;
  let from = 0;
  for (let code = chunk.from; code < chunk.from + chunk.done; code++) from += counts[code]!;
  for (; chunk.done < end; chunk.done++) {
    const code = chunk.from + chunk.done;
    const result = at(Room.results) + chunk.done * FitResult.bytes;
    status[code] = words[(result + FitResult.status) / 4]!;
    loss[code] = doubles[(result + FitResult.loss) / 8]!;
    lossBefore[code] = doubles[(result + FitResult.lossBefore) / 8]!;
    evaluations[code] = words[(result + FitResult.evaluations) / 4]!;
    const count = words[(result + FitResult.constants) / 4]!;
    counts[code] = count;
    const to = roomOf(batch, code);
    for (let k = 0; k < count; k++, from++) {
      if (constants !== undefined) constants[to + k] = words[at(Room.constants) / 4 + from]!;
      if (derivatives !== undefined) derivatives[to + k] = doubles[at(Room.derivatives) / 8 + from]!;
    }
  }
}
