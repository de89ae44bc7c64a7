// Describes what the checks of a launch have recorded.
import { faultWords } from "./fault-error.js";
import { type FaultContext, reportFault } from "./fault-report.js";
import { FINDING_KINDS, type Finding, type FindingKind, type FoundAllocation } from "./finding.js";
import type { FaultGroup } from "./finding-log.js";
import type { LaunchFault } from "./launch-fault.js";

export function reportFindings(groups: readonly FaultGroup[], context: FaultContext): readonly Finding[] {
  return groups.map((group) => findingOf(group, context));
}

function findingOf(group: FaultGroup, context: FaultContext): Finding {
  const { neighbor } = group;
  const report = reportFault(group.fault, context, neighbor);
  const kind = kindOf(report);
  const { place, other, address, bytes, space, access, near, waiting } = report;
  const allocation: FoundAllocation | undefined = near && {
    ...near,
    madeAt: neighbor?.allocation.madeAt ?? [],
  };
  return {
    kind,
    check: FINDING_KINDS[kind].check,
    severity: FINDING_KINDS[kind].severity,
    message: faultWords(report, context),
    kernel: report.kernel,
    occurrences: group.occurrences,
    place: place && withoutThread(place),
    threads: group.threads.map(({ block, thread }) => ({ block, thread })),
    threadCount: group.threadIds.size,
    blockCount: group.blockIds.size,
    ...{ address, bytes, space, access, allocation, waiting },
    other: other && { ...other, access: report.otherAccess! },
  };
}

function withoutThread({ block: _, thread: __, ...place }: NonNullable<LaunchFault["place"]>) {
  return place;
}

/** Faults that are neither of a check nor about synchronization are not recorded. */
function kindOf({ code, sameValue }: LaunchFault): FindingKind {
  if (code === "RACE") return sameValue === true ? "SAME_VALUE_WRITES" : "RACE";
  return code in FINDING_KINDS ? (code as FindingKind) : "INVALID_SYNC";
}
