// Runs a checked launch, and then what its threads have launched (CUDA C++ Programming Guide, CUDA Dynamic Parallelism): a
// launch has ended once all that it has launched has ended, so they run depth first, and in order.
import type { Finding } from "../run/finding.js";
import {
  blocksOf,
  type ChildLaunch,
  type ChildLaunches,
  type Engine,
  type LaunchHooks,
  type LaunchPlan,
} from "../run/launch.js";
import type { PagedMemory } from "../run/paged-memory.js";
import { ifThereIsRoom } from "../run/room.js";
import type { ChildReport, LaunchParts, LaunchReport } from "./launch.js";

/**
 * @param childOf checks the launch of a child
 * @throws EmulatorError if the launch or one of its children fails or is stopped
 */
export async function runLaunch(
  parts: LaunchParts,
  childOf: (child: ChildLaunch) => LaunchParts,
): Promise<LaunchReport> {
  const hooks = hooksOf(parts);
  const { report, pending } = await runOne(parts, { ...hooks, ...(await observersOf(parts)) }, 0);
  const findings = [...report.findings];
  const children: ChildReport[] = [];
  const next = reversed(pending);
  // This is iterative because a kernel may continue forever with tail launches.
  for (let child = next.pop(); child !== undefined; child = next.pop()) {
    await parts.state.queue.rest();
    const { report: own, pending } = await runOne(childOf(child), hooks, child.depth);
    children.push({ kernel: child.kernel.name, engine: own.engine, milliseconds: own.milliseconds });
    for (const finding of own.findings) findings.push(finding);
    for (const launch of reversed(pending)) next.push(launch);
  }
  return { ...report, findings, children };
}

/** The last launch first. Tail launches follow the others. */
function reversed(launches: readonly ChildLaunch[]): ChildLaunch[] {
  const others = launches.filter(({ isTail }) => !isTail);
  return [...others, ...launches.filter(({ isTail }) => isTail)].reverse();
}

/** A launch whose children have not run yet. */
interface Launched {
  readonly report: Omit<LaunchReport, "children">;
  readonly pending: readonly ChildLaunch[];
}

async function runOne(parts: LaunchParts, given: LaunchHooks, depth: number): Promise<Launched> {
  const { state, kernel, shape, cluster, params, lockstep, options } = parts;
  const { engines, memory, settings, findings } = state;
  const { instructions = Infinity, timeoutMs = Infinity, signal } = parts.limits;
  const { loaded, origins } = kernel.module;
  const log = await findings.log(shape);
  const taken: number[] = [];
  const launches = launchesOf(parts, depth, taken);
  const hooks = { ...given, launches, ...(log === undefined ? {} : { checks: log }) };
  const plan: LaunchPlan = { loaded, kernel: kernel.entry, ...shape, cluster, params, lockstep, hooks };
  let found: readonly Finding[] = [];
  const started = performance.now();
  const chosen = signal?.aborted ? ABORTED : await engines.engineFor(plan, origins);
  // The time limit only covers the kernel, not the loading of an engine or the translation.
  const limits = { instructions, deadline: performance.now() + timeoutMs, signal };
  const engine = await memory
    .keeping(async () => {
      const workspace = options.cooperative === true ? takeWorkspace(memory) : undefined;
      if (workspace !== undefined) taken.push(workspace);
      const launch = { ...plan, workspace, limits };
      const { engine, fault } = await chosen.run(launch).finally(() => {
        for (const offset of taken) memory.give(offset);
      });
      found = await findings.add(log, { launch, memory, origins });
      if (fault === undefined) return engine;
      const { faultError } = await import("../run/fault-error.js");
      throw faultError(fault, { launch, memory, origins });
    })
    .finally(() => settings.endPrint());
  const milliseconds = performance.now() - started;
  const report = { engine, milliseconds, counts: plan.hooks.counts, findings: found };
  return { report, pending: launches.pending };
}

/** @param taken receives the offsets of memory that is freed once the launch has ended */
function launchesOf({ state, kernel }: LaunchParts, depth: number, taken: number[]): ChildLaunches {
  return {
    depth,
    pending: [],
    take(bytes, label) {
      const offset = ifThereIsRoom(() => state.memory.take(bytes, { zero: true, label }));
      if (offset !== undefined) taken.push(offset);
      return offset;
    },
    limitsOf: ({ name }) => kernel.module.kernelOf(name),
  };
}

/** The hooks that children have, too. */
function hooksOf({ state, kernel, options }: LaunchParts): LaunchHooks {
  const { functions } = kernel.module.program;
  return {
    print: state.settings.onPrint,
    heap: state.heap,
    ...(options.counts === true
      ? { counts: functions.map(({ instructions }) => new Float64Array(instructions.length)) }
      : {}),
  };
}

async function observersOf({ kernel, shape, trace, options }: LaunchParts): Promise<Partial<LaunchHooks>> {
  const { onProgress } = options;
  const blocks = blocksOf(shape);
  const progress = onProgress && { progress: (done: number) => onProgress(done, blocks) };
  if (trace === undefined) return { ...progress };
  const { tracedStep } = await import("../view/trace.js");
  const { program } = kernel.module;
  const { block, thread, onStep } = trace;
  return { ...progress, trace: { block, thread, step: (step) => onStep(tracedStep(program, step)) } };
}

/** The engine of launches that were aborted before they started. */
const ABORTED: Engine = {
  run: async () => ({ engine: "interpreter", fault: { kind: "ABORTED", loop: undefined } }),
};

/** The size of the structure in which `cooperative_groups` synchronizes the blocks of a grid, and room after it. */
const WORKSPACE_BYTES = 1024;

/** @throws EmulatorError OUT_OF_MEMORY */
const takeWorkspace = (memory: PagedMemory): number =>
  memory.take(WORKSPACE_BYTES, { zero: true, label: "the workspace of the grid" });
