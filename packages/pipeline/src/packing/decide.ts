// Decides how programs are packed: as the caller says, or as the kernel allows.
import type { AnnotatedPtx } from "@mm-ptx/inject";
import { MmPtxError } from "@mm-ptx/types/core";
import { refuse } from "../check.js";
import type { ResolvedPlan } from "../launch/resolved.js";
import { choosePacking } from "./choose.js";
import type { PackChoice } from "./kinds.js";
import type { Pack } from "./pack.js";
import type { Packing, PackWriter } from "./writer.js";

/** How programs are packed, and why not as alternatives. */
export interface PackDecision {
  readonly packing: Packing;
  readonly reason?: string;
  /** How programs are packed that cannot be alternatives although others can. */
  readonly apart: Packing;
}

/** What the decision depends on. */
export interface PackDecisionRequest {
  readonly annotated: AnnotatedPtx;
  readonly entry: string;
  readonly sites: readonly string[];
  /** The launch of one program; undefined if programs are only compiled. */
  readonly plan: ResolvedPlan | undefined;
  readonly strides: readonly (number | undefined)[];
  readonly writer: PackWriter;
}

const ASKED = "the option `pack` says so";

const SINGLE: Packing = { kind: "single" };

/** @throws PipelineError INVALID_ARGUMENT if the programs cannot be packed as the caller says, or the kernel writes to an input */
export function decidePacking(
  pack: "auto" | "none" | number | PackChoice | undefined,
  request: PackDecisionRequest,
): PackDecision {
  const asked = typeof pack === "object" ? pack.kind : undefined;
  if (pack === "none" || pack === 1 || asked === "single")
    return { packing: SINGLE, apart: SINGLE, reason: ASKED };
  const alternatives = asked === "kernels" ? ASKED : alternativesFor(request);
  const kernels: Packing = { kind: "kernels" };
  const problem = writingProblem(request, kernels);
  const apart = problem === undefined ? kernels : SINGLE;
  if (typeof alternatives !== "string") return { packing: alternatives, apart };
  if (asked === "alternatives")
    throw refuse(`expected a kernel whose programs can be alternatives, but ${alternatives}`);
  if (asked === "kernels" && problem !== undefined)
    throw refuse(`expected a kernel that can be repeated in a module, but ${problem}`);
  const reason = problem === undefined ? alternatives : `${alternatives}; ${problem}`;
  return { packing: apart, apart, reason };
}

/** The alternatives of the kernel, or why there are none. */
function alternativesFor(request: PackDecisionRequest): Packing | string {
  const { annotated, entry, sites, plan, strides } = request;
  // Programs that are only compiled cannot disturb each other.
  const answer =
    plan === undefined
      ? ({ kind: "alternatives", axis: "z" } as const)
      : choosePacking({
          ...{ annotated, entry, sites, grid: plan.grid },
          perAlternative: strides.map((stride) => stride !== undefined),
        });
  if (answer.kind === "kernels") return `the kernel ${answer.reason}`;
  const packing: Packing = { kind: "alternatives", axis: answer.axis };
  return writingProblem(request, packing) ?? packing;
}

/** Why a pack cannot be written. */
function writingProblem(
  { sites, strides, writer }: PackDecisionRequest,
  packing: Packing,
): string | undefined {
  const member = { index: 0, signature: "", stubs: sites.map(() => ""), duplicates: [] };
  const pack: Pack = { members: [member, member] };
  try {
    writer.write(pack, packing, strides);
    return undefined;
  } catch (error) {
    if (error instanceof MmPtxError) return error.message;
    throw error;
  }
}
