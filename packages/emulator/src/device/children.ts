// Launches by kernels, after the launch whose threads have requested them (CUDA C++ Programming Guide, CUDA Dynamic
// Parallelism): a launch has ended once all that it has launched has ended, so they run depth first, and in order.
import { eventLoopTurn, TURN_MS } from "../run/event-loop.js";
import type { ChildLaunch } from "../run/launch.js";
import type { ChildReport, LaunchReport } from "./launch.js";

/** Runs one launch. @returns its report, and what it has launched itself */
type RunChild = (child: ChildLaunch) => Promise<LaunchReport & { readonly pending: readonly ChildLaunch[] }>;

/** Runs what a launch has launched. @returns the report of the launch with its children */
export async function withChildren(
  report: LaunchReport,
  pending: readonly ChildLaunch[],
  run: RunChild,
): Promise<LaunchReport> {
  const findings = [...report.findings];
  const children: ChildReport[] = [];
  const next = reversed(pending);
  let lastTurn = performance.now();
  // This is iterative because a kernel may go on for ever with tail launches.
  for (let child = next.pop(); child !== undefined; child = next.pop()) {
    // Many short launches in a row would starve the event loop.
    if (performance.now() - lastTurn > TURN_MS) {
      await eventLoopTurn();
      lastTurn = performance.now();
    }
    const { engine, milliseconds, findings: more, pending: own } = await run(child);
    children.push({ kernel: child.kernel.name, engine, milliseconds });
    findings.push(...more);
    next.push(...reversed(own));
  }
  return { ...report, findings, children };
}

/** The last launch first. Tail launches follow the others. */
function reversed(launches: readonly ChildLaunch[]): ChildLaunch[] {
  const inOrder = [...launches.filter(({ isTail }) => !isTail), ...launches.filter(({ isTail }) => isTail)];
  return inOrder.reverse();
}
