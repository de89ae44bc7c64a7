// How the programs of a kernel can be packed: as alternatives of its sites if that is shown not to change what any of them
// computes, and as kernels of one module otherwise.
import { expandSites, type Injection, PtxInjectError, parsePtx } from "@mm-ptx/inject";
import type { PtxFunction, PtxModule } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { canHaveFirst, findEntry, findInjections } from "./kernel.js";
import type { Axis, PackAnswer, PackQuestion } from "./question.js";
import { Safety } from "./safety.js";

/** The axes that can count alternatives, with their places in a grid. */
const AXES: readonly (readonly [axis: Axis, place: number])[] = [
  ["z", 2],
  ["y", 1],
];
const CLUSTERS = new Set([".reqnctapercluster", ".explicitcluster", ".maxclusterrank", ".blocksareclusters"]);
/** The bytes of parameters that every kernel may have (PTX ISA, Kernel Function Parameter Attributes), less one u32. */
const MOST_BYTES = 4352 - 4;

/**
 * How programs of a kernel can be packed. They can be alternatives if it is shown that the blocks of one alternative read and
 * write the same as if it were launched alone: nothing that the kernel and the functions it calls read shows the other
 * alternatives, all writes go to memory of which each alternative has its own part, and no address depends on what a site
 * computes, because a wrong one would harm the others silently. Stubs have to be asked as well, with `stubObstacle`.
 *
 * @throws PipelineError NOT_FOUND if there is no such entry or injection; INVALID_ARGUMENT if the kernel writes through a
 * parameter of which alternatives have no part of their own, or if `perAlternative` has another length than its parameters
 */
export function choosePacking(question: PackQuestion): PackAnswer {
  const { sites, grid, perAlternative } = question;
  const annotated = parsePtx(question.annotated.markedText());
  const { module, entry } = findEntry(annotated.text, question.entry);
  const injections = findInjections(annotated, sites);
  const { length } = entry.parameters;
  if (perAlternative.length !== length && perAlternative.length > 0) {
    const message = `expected \`perAlternative\` for each of the ${length} parameters of ${quoted(entry.name)}, found ${perAlternative.length}`;
    throw new PipelineError("INVALID_ARGUMENT", message);
  }
  const isLaunched = perAlternative.length === length;
  const safety = isLaunched ? new Safety({ annotated, module, entry, perAlternative }) : undefined;
  const reasons = AXES.map(([axis, place]) => {
    const blocks = grid[place]!;
    return (
      safety?.obstacle(axis) ?? (blocks === 1 ? undefined : `is launched with ${blocks} blocks along ${axis}`)
    );
  });
  const reason = formReason(module, entry, injections) ?? expansionReason(annotated, injections);
  const keepsInputs = safety?.keepsInputs ?? true;
  if (reason !== undefined) return { kind: "kernels", reason, keepsInputs };
  const found = reasons.indexOf(undefined);
  if (found === -1) return { kind: "kernels", reason: [...new Set(reasons)].join(", and "), keepsInputs };
  return { kind: "alternatives", axis: AXES[found]![0], hasFirst: canHaveFirst(module, injections) };
}

/** What about the form of a module stands against alternatives. */
function formReason(
  module: PtxModule,
  { name, parameters, directives, nameSpan }: PtxFunction,
  injections: readonly Injection[],
): string | undefined {
  if (module.problems.length > 0) return "contains mistakes";
  const cluster = directives.find((directive) => CLUSTERS.has(directive.name));
  if (cluster !== undefined) return `has clusters (${quoted(cluster.name)})`;
  const launched = module.names.uses.some((use) => use.name === name && use.span.start !== nameSpan.start);
  if (launched) return `is named in the module itself, which may launch it`;
  if (parameters.reduce((sum, { bytes = 0 }) => sum + bytes, 0) > MOST_BYTES)
    return "has no room for a parameter";
  const outside = injections.find(({ sites }) =>
    sites.some(({ span }) => module.functionAt(span.start) === undefined),
  );
  return outside === undefined ? undefined : `has a site of ${quoted(outside.name)} outside of functions`;
}

/** Why `expandSites` refuses an injection. */
function expansionReason(
  annotated: Parameters<typeof expandSites>[0],
  injections: readonly Injection[],
): string | undefined {
  for (const { name } of injections) {
    const taken = annotated.injections.find(
      (other) => other.name.startsWith(`${name}_`) && /^\d+$/.test(other.name.slice(name.length + 1)),
    );
    if (taken !== undefined)
      return `has an injection ${quoted(taken.name)}, a name that an alternative of ${quoted(name)} takes`;
    try {
      expandSites(annotated, name, 1);
    } catch (error) {
      if (!(error instanceof PtxInjectError)) throw error;
      return `cannot have alternatives of ${quoted(name)}: ${error.message}`;
    }
  }
  return undefined;
}
