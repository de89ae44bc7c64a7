// Decides how programs are packed: as the caller says, or as the kernel allows.
import type { AnnotatedPtx } from "@mm-ptx/inject";
import { MmPtxError } from "@mm-ptx/types/core";
import { refuse } from "../check.js";
import type { ResolvedPlan } from "../launch/resolved.js";
import { choosePacking } from "./choose.js";
import type { PackChoice } from "./kinds.js";
import type { Pack } from "./pack.js";
import type { PackAnswer } from "./question.js";
import type { Packing, PackWriter } from "./writer.js";

/** How programs are packed, and why not as alternatives. */
export interface PackDecision {
  readonly packing: Packing;
  readonly reason?: string;
  /** How programs are packed that cannot be alternatives although others can. */
  readonly apart: Packing;
  /** Whether it is shown that launches leave their inputs as they are. */
  readonly keepsInputs: boolean;
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

const MAY_WRITE =
  "it is not shown that its inputs are only read, so they are uploaded again for each program";

/** @throws PipelineError INVALID_ARGUMENT if the programs cannot be packed as the caller says, or the kernel writes to an input */
export function decidePacking(
  pack: "auto" | "none" | number | PackChoice | undefined,
  request: PackDecisionRequest,
): PackDecision {
  const asked = typeof pack === "object" ? pack.kind : undefined;
  const answer = answerFor(request);
  const keepsInputs = answer.kind === "alternatives" || answer.keepsInputs;
  const single = (reason: string): PackDecision => ({ packing: SINGLE, apart: SINGLE, reason, keepsInputs });
  if (pack === "none" || pack === 1 || asked === "single") return single(ASKED);
  const kernels: Packing = { kind: "kernels" };
  const problem = keepsInputs ? writingProblem(request, kernels) : MAY_WRITE;
  const apart = problem === undefined ? kernels : SINGLE;
  if (asked === "kernels") {
    if (problem !== undefined)
      throw refuse(`expected a kernel that can be repeated in a module, but ${problem}`);
    return { packing: kernels, apart, reason: ASKED, keepsInputs };
  }
  const reason =
    answer.kind === "kernels" ? `the kernel ${answer.reason}` : alternativesProblem(request, answer);
  if (reason === undefined && answer.kind === "alternatives")
    return { packing: { kind: "alternatives", axis: answer.axis }, apart, keepsInputs };
  if (asked === "alternatives")
    throw refuse(`expected a kernel whose programs can be alternatives, but ${reason}`);
  return problem === undefined
    ? { packing: kernels, apart, reason: reason!, keepsInputs }
    : single(`${reason}; ${problem}`);
}

function answerFor({ annotated, entry, sites, plan, strides }: PackDecisionRequest): PackAnswer {
  // Programs that are only compiled cannot disturb each other.
  if (plan === undefined) return { kind: "alternatives", axis: "z", hasFirst: true };
  return choosePacking({
    ...{ annotated, entry, sites, grid: plan.grid },
    perAlternative: strides.map((stride) => stride !== undefined),
  });
}

const alternativesProblem = (
  request: PackDecisionRequest,
  { axis }: PackAnswer & { readonly kind: "alternatives" },
): string | undefined => writingProblem(request, { kind: "alternatives", axis });

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
