// The kernels of a module with their parameters, for whoever launches them: read from the PTX, when somebody asks.

import { type PtxModule, type PtxVariable, readModule, tokenize } from "@mm-ptx/ptx";
import { deepFreeze, type PtxTemplate } from "@mm-ptx/types/core";
import { type Source, sourceText } from "./job.js";

/** A parameter of a kernel, as its PTX declares it (PTX ISA, Kernel Function Parameters). */
export interface KernelParameter {
  readonly name: string;
  /** Of one element, without the dot, for example `u64`; structures are arrays of `b8`. */
  readonly type: string;
  /** In bytes, of the whole parameter; absent for `texref` and its like, which have no size. */
  readonly size?: number;
  /** In bytes; absent as `size` is. */
  readonly align?: number;
  /** Of an array the number of its elements. */
  readonly length?: number;
  /** What `.ptr` says about the memory that the parameter points to. */
  readonly pointer?: { readonly space?: string; readonly align?: number };
}

/** A kernel by name, and what it is launched with. */
export interface KernelSignature {
  readonly name: string;
  readonly params: readonly KernelParameter[];
}

/** The kernels of what was compiled, in source order; frozen, as those of a template are many jobs'. */
export function kernelsOf(source: Source): readonly KernelSignature[] {
  if (typeof source !== "string" && !(source instanceof Uint8Array)) {
    const { kernels, stubsWithin } = readTemplate(source.template);
    if (stubsWithin && source.stubs.every(closesWhatItOpens)) return kernels;
  }
  return signaturesOf(readModule(sourceText(source), { tolerant: true }));
}

function signaturesOf({ entries }: PtxModule): readonly KernelSignature[] {
  return deepFreeze(entries.map(({ name, params }) => ({ name, params: params.map(parameterOf) })));
}

function parameterOf({ name, type, size, align, dimensions, pointer }: PtxVariable): KernelParameter {
  return {
    name,
    type: type ?? "",
    ...(size === undefined ? {} : { size }),
    ...(align === undefined ? {} : { align }),
    ...(dimensions.length === 0 ? {} : { length: dimensions[0] ?? 0 }),
    ...(pointer === undefined ? {} : { pointer: present(pointer) }),
  };
}

function present({
  space,
  align,
}: NonNullable<PtxVariable["pointer"]>): NonNullable<KernelParameter["pointer"]> {
  return { ...(space === undefined ? {} : { space }), ...(align === undefined ? {} : { align }) };
}

/** A template without stubs. */
interface BareTemplate {
  readonly kernels: readonly KernelSignature[];
  /** Whether every hole stands in the body of a function, and not in a comment or string. */
  readonly stubsWithin: boolean;
}

const bareTemplates = new WeakMap<PtxTemplate, BareTemplate>();

function readTemplate(template: PtxTemplate): BareTemplate {
  let bare = bareTemplates.get(template);
  if (bare === undefined) {
    const module = readModule(template.segments.join(""), { tolerant: true });
    bare = { kernels: signaturesOf(module), stubsWithin: holesAreInBodies(template, module) };
    bareTemplates.set(template, bare);
  }
  return bare;
}

/** Whether all holes stand in bodies; `module` is the text of all segments. */
function holesAreInBodies({ segments, holes }: PtxTemplate, module: PtxModule): boolean {
  const { tokens } = module;
  let offset = 0;
  let token = 0;
  return holes.every((_, i) => {
    offset += segments[i]!.length;
    const body = module.functionAt(offset)?.bodySpan;
    if (body === undefined || offset <= body.start || offset >= body.end) return false;
    while (tokens.end(token) < offset) token++;
    // A stub behind a comment that ends with its line would belong to it.
    return !["comment", "string", "unknown"].includes(tokens.kind(token));
  });
}

/** Whether a stub leaves the scope that it stands in as it is, so that headers of functions cannot be among what it brings. */
function closesWhatItOpens(stub: string): boolean {
  const tokens = tokenize(stub);
  let depth = 0;
  for (let token = 0; token < tokens.count && depth >= 0; token++) {
    const kind = tokens.kind(token);
    if (kind === "unknown") return false;
    if (kind !== "punctuation") continue;
    const mark = tokens.textOf(token);
    if (mark === "{") depth++;
    else if (mark === "}") depth--;
  }
  return depth === 0 && (tokens.count === 0 || tokens.kind(tokens.count - 1) !== "comment");
}
