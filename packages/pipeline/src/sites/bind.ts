// The sites of a kernel with what fills them, and the kernel that is launched.
import type { AnnotatedPtx } from "@mm-ptx/inject";
import { type PtxFunction, readModule } from "@mm-ptx/ptx";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { invalid, refuse } from "../check.js";
import { PipelineError } from "../error.js";
import { digest, type Site, type SiteRecord, type StubWriter } from "./site.js";

/** A site with what makes its stubs. */
export interface BoundSite {
  readonly name: string;
  readonly writer: StubWriter;
  /** One signature of those of all sites. */
  join(signatures: readonly string[]): string;
}

/**
 * The sites in the order of the kernel.
 *
 * @throws PipelineError NOT_FOUND, INVALID_ARGUMENT; errors of the compilers for operands that they cannot write
 */
export function bindSites(annotated: AnnotatedPtx, sites: SiteRecord): readonly BoundSite[] {
  const known = annotated.injections.map(({ name }) => name);
  for (const name of Object.keys(sites)) {
    if (known.includes(name)) continue;
    const listed = known.length === 0 ? "none" : known.map(quoted).join(", ");
    throw new PipelineError(
      "NOT_FOUND",
      `expected a site of the kernel (${listed}), found ${quoted(name)}${didYouMean(name, known)}`,
    );
  }
  for (const [name, site] of Object.entries(sites)) {
    if (typeof (site as Partial<Site> | null)?.bind !== "function")
      throw invalid(`\`stackSite\`, \`astSite\` or \`textSite\` for site ${quoted(name)}`, site);
  }
  const missing = known.filter((name) => !Object.hasOwn(sites, name));
  if (missing.length > 0 || known.length === 0) {
    const expected = known.length === 0 ? "a kernel with a site" : "`sites` to fill every site of the kernel";
    throw refuse(
      `expected ${expected}, found none${missing.length === 0 ? "" : ` for ${missing.map(quoted).join(", ")}`}`,
    );
  }
  return known.map((name) => ({
    name,
    writer: sites[name]!.bind(annotated, annotated.injection(name)),
    join: (signatures) => digest(signatures.join()),
  }));
}

/** The kernel that is launched. @throws PipelineError NOT_FOUND, INVALID_ARGUMENT */
export function entryOf(annotated: AnnotatedPtx, asked: string | undefined): PtxFunction {
  const { entries } = readModule(annotated.text, { tolerant: true });
  const names = entries.map(({ name }) => name);
  const named = (name: string): PtxFunction => entries.find((entry) => entry.name === name)!;
  if (asked !== undefined) {
    if (names.includes(asked)) return named(asked);
    throw new PipelineError(
      "NOT_FOUND",
      `expected a kernel of the module (${names.map(quoted).join(", ")}), found ${quoted(asked)}${didYouMean(asked, names)}`,
    );
  }
  if (names.length === 1) return entries[0]!;
  const own = new Set(
    annotated.injections.flatMap(({ sites }) => sites.map(({ functionName }) => functionName)),
  );
  const filled = names.filter((name) => own.has(name));
  if (filled.length === 1) return named(filled[0]!);
  throw refuse(`expected \`entry\` to name one of the kernels ${names.map(quoted).join(", ")}, found none`);
}
