// Rewrites a kernel so that each block along one axis of the grid runs its own alternative on its own part of the outputs. The
// text before the first site has no more lines than before.
import { expandSites, parsePtx } from "@mm-ptx/inject";
import type { PtxFunction, PtxModule } from "@mm-ptx/ptx";
import { describeValue, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import {
  canHaveFirst,
  findEntry,
  findInjections,
  functionsWithSites,
  instructionsOf,
  parameterLoad,
} from "./kernel.js";
import type { AlternativesKernel, AlternativesRequest, Axis } from "./question.js";

/** Strides are multiples of this, so that each part is aligned like an allocation. */
const ALIGNMENT = 256;

/** Text that is inserted at an offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The names that the rewritten kernel declares. */
interface Names {
  /** The index of the alternative that a block runs. */
  readonly alternative: string;
  /** Before the number of an injection: the index of its alternative, if each runs with each. */
  readonly site: string;
  /** The parameter that is the first alternative of the launch. */
  readonly first: string;
}

/**
 * The kernel with `counts` alternatives of each injection, chosen by the index of the block along `axis`, plus the parameter
 * that is appended to the entry if `hasFirst` is true. Each parameter with a stride points to the part of the block's
 * alternative. The entry keeps its name.
 *
 * `choosePacking` says for which kernels this changes nothing that an alternative computes.
 *
 * @throws PipelineError NOT_FOUND if there is no such entry or injection, INVALID_ARGUMENT for a stride that is not a multiple
 * of 256 below 2^32, for another number of strides than parameters, and for different counts if they are paired; PtxInjectError
 * as `expandSites`
 */
export function alternativesKernel(request: AlternativesRequest): AlternativesKernel {
  const { annotated, entry: name, axis, strides, counts, combine } = request;
  const marked = parsePtx(annotated.markedText());
  const { module, entry } = findEntry(marked.text, name);
  const injections = findInjections(marked, counts.keys());
  checkStrides(entry, strides);
  checkCounts(request);
  const hasFirst = canHaveFirst(module, injections);
  const withSites = new Set(functionsWithSites(module, injections));
  const names = freeNames(marked.text, name);
  const selectors = injections.map((injection, index) => ({
    name: injection.name,
    count: counts.get(injection.name)!,
    register: combine === "cross" ? `${names.site}${index}` : names.alternative,
  }));
  const parameter = hasFirst ? `.param .u32 ${names.first}` : undefined;
  const insertions = module.functions.flatMap((one) => {
    const isEntry = one.name === name;
    const added = isEntry && parameter !== undefined ? [lastParameter(module, one, parameter)] : [];
    if (!(isEntry || withSites.has(one)) || one.bodySpan === undefined) return added;
    const first = isEntry && hasFirst ? names.first : undefined;
    const prelude = preludeText(names.alternative, axis, first, combine === "cross" ? selectors : []);
    return [...added, { at: one.bodySpan.start + 1, text: prelude }];
  });
  insertions.push(...ownParts(module, entry, strides, names.alternative));
  const rewritten = parsePtx(insert(marked.text, insertions));
  const expanded = selectors.reduce(
    (done, { name: site, count, register }) => expandSites(done, site, count, { select: register }),
    rewritten,
  );
  return { annotated: expanded, hasFirst };
}

/** An injection with the register that chooses among its alternatives. */
interface Selector {
  readonly count: number;
  readonly register: string;
}

/** Declares and computes the registers that choose, at the beginning of a body. */
function preludeText(
  alternative: string,
  axis: Axis,
  first: string | undefined,
  selectors: readonly Selector[],
): string {
  const [outermost, ...inner] = selectors;
  const lines = [`.reg .u32 ${[alternative, ...selectors.map(({ register }) => register)].join(", ")};`];
  if (first === undefined) lines.push(`mov.u32 ${alternative}, %ctaid.${axis};`);
  else {
    const register = `${alternative}_first`;
    lines.push(`.reg .u32 ${register};`, `ld.param.u32 ${register}, [${first}];`);
    lines.push(
      `mov.u32 ${alternative}, %ctaid.${axis};`,
      `add.u32 ${alternative}, ${alternative}, ${register};`,
    );
  }
  if (outermost !== undefined) {
    // The last injection's index changes fastest.
    const rest = outermost.register;
    lines.push(`mov.u32 ${rest}, ${alternative};`);
    for (const { register, count } of inner.toReversed())
      lines.push(`rem.u32 ${register}, ${rest}, ${count};`, `div.u32 ${rest}, ${rest}, ${count};`);
  }
  return lines.map((line) => ` ${line}`).join("");
}

/** After each load of a parameter with a stride: adds what the parts of the alternatives before this one have. */
function ownParts(
  module: PtxModule,
  entry: PtxFunction,
  strides: AlternativesRequest["strides"],
  alternative: string,
): Insertion[] {
  const byName = new Map(entry.parameters.map(({ name }, index) => [name, strides[index]]));
  return [...instructionsOf(module, entry)].flatMap((statement) => {
    const operation = module.operation(statement);
    const load = parameterLoad(operation);
    const stride = load === undefined ? undefined : byName.get(load.parameter);
    if (load === undefined || stride === undefined) return [];
    const { guard } = operation;
    const condition = guard === undefined ? "" : `@${guard.negated ? "!" : ""}${guard.name.name} `;
    const { register } = load;
    const text = ` ${condition}mad.wide.u32 ${register}, ${alternative}, ${stride}, ${register};`;
    return [{ at: module.spanOf(statement).end, text }];
  });
}

/** Appends a parameter to the header of a kernel. */
function lastParameter(
  { text }: PtxModule,
  { parameters, nameSpan }: PtxFunction,
  parameter: string,
): Insertion {
  const last = parameters.at(-1);
  if (last !== undefined) return { at: last.span.end, text: `, ${parameter}` };
  const open = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*\(/.exec(text.slice(nameSpan.end));
  if (open === null) return { at: nameSpan.end, text: `(${parameter})` };
  return { at: nameSpan.end + open[0].length, text: parameter };
}

function insert(text: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, text: added } of insertions.toSorted((a, b) => a.at - b.at)) {
    pieces.push(text.slice(from, at), added);
    from = at;
  }
  return pieces.join("") + text.slice(from);
}

/** Names that do not occur in the text. */
function freeNames(text: string, entry: string): Names {
  let word = "_mm_alternative";
  while (text.includes(word)) word += "_";
  let first = `${entry}_first_alternative`;
  while (text.includes(first)) first += "_";
  return { alternative: `%${word}`, site: `%${word}_of_`, first };
}

function checkStrides({ name, parameters }: PtxFunction, strides: AlternativesRequest["strides"]): void {
  if (strides.length !== parameters.length && strides.length > 0) {
    const message = `expected a stride for each of the ${parameters.length} parameters of ${quoted(name)}, found ${strides.length}`;
    throw new PipelineError("INVALID_ARGUMENT", message);
  }
  for (const stride of strides) {
    if (stride === undefined) continue;
    const isStride =
      Number.isInteger(stride) && stride >= ALIGNMENT && stride < 2 ** 32 && stride % ALIGNMENT === 0;
    if (isStride) continue;
    const message = `expected strides that are multiples of ${ALIGNMENT} below 4294967296, found ${describeValue(stride)}`;
    throw new PipelineError("INVALID_ARGUMENT", message);
  }
}

function checkCounts({ counts, combine }: AlternativesRequest): void {
  if (combine !== "pairwise" || new Set(counts.values()).size <= 1) return;
  const found = [...counts].map(([name, count]) => `${count} of ${quoted(name)}`).join(", ");
  const message = `expected as many alternatives of each injection, which are paired, found ${found}`;
  throw new PipelineError("INVALID_ARGUMENT", message);
}
