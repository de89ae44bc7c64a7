// The kernels of compiled PTX, for launching them: parsed from the `.entry` headers once per template or text.

import { entryHeaders, type PtxModule, type PtxVariable, readModule, tokenize } from "@mm-ptx/ptx";
import { deepFreeze, type KernelParameter, type KernelSignature, type PtxTemplate } from "@mm-ptx/types/core";
import { isMade, type Source, sourceText } from "./source.js";
import { formOf } from "./template-forms.js";

/** The kernels in source order; frozen, because all jobs of a template share them. */
export function kernelsOf(source: Source): readonly KernelSignature[] {
  if (isMade(source)) {
    const form = formOf(source.recipe.outline);
    form.kernels ??= readTemplate(source.recipe.outline);
    return form.kernels.stubsWithin ? form.kernels.kernels : kernelsOf(source.written());
  }
  if (typeof source !== "string" && "template" in source) {
    const form = formOf(source.template);
    form.kernels ??= readTemplate(source.template);
    const { kernels, stubsWithin } = form.kernels;
    if (stubsWithin && source.stubs.every(staysInScope)) return kernels;
  }
  return kernelsOfText(sourceText(source));
}

/** Kernels by the text of their headers, which many modules share. */
const known = new Map<string, KernelSignature>();
const KNOWN = 1000;

function kernelsOfText(text: string): readonly KernelSignature[] {
  const kernels: KernelSignature[] = [];
  for (const header of entryHeaders(text)) {
    let kernel = known.get(header);
    if (kernel === undefined) {
      // A copy, because a slice of a string would keep the whole text in memory.
      const copy = Buffer.from(header).toString();
      [kernel] = signaturesOf(readModule(`${copy}{}`, { tolerant: true }));
      if (kernel === undefined) continue;
      if (known.size === KNOWN) known.clear();
      known.set(copy, kernel);
    }
    kernels.push(kernel);
  }
  return Object.freeze(kernels);
}

function signaturesOf({ entries }: PtxModule): readonly KernelSignature[] {
  return deepFreeze(entries.map(({ name, parameters }) => ({ name, parameters: placed(parameters) })));
}

/** The size of `texref` and similar types, which are handles. */
const HANDLE_BYTES = 8;

/** Each parameter starts at a multiple of its alignment. */
function placed(parameters: readonly PtxVariable[]): KernelParameter[] {
  let end = 0;
  return parameters.map(({ name, type, bytes = HANDLE_BYTES, align, dimensions, pointer }) => {
    const multiple = align ?? HANDLE_BYTES;
    const offset = Math.ceil(end / multiple) * multiple;
    end = offset + bytes;
    return {
      name,
      ...(type === undefined ? {} : { type }),
      ...(dimensions.length === 0 ? {} : { length: dimensions[0] ?? 0 }),
      offset,
      bytes,
      ...(align === undefined ? {} : { align }),
      ...(pointer === undefined ? {} : { pointer: present(pointer) }),
    };
  });
}

function present({
  space,
  align,
}: NonNullable<PtxVariable["pointer"]>): NonNullable<KernelParameter["pointer"]> {
  return { ...(space === undefined ? {} : { space }), ...(align === undefined ? {} : { align }) };
}

/** The kernels of a template without stubs. */
export interface TemplateKernels {
  readonly kernels: readonly KernelSignature[];
  /** Whether every hole is in a function body, outside of comments and strings. */
  readonly stubsWithin: boolean;
}

function readTemplate(template: PtxTemplate): TemplateKernels {
  const module = readModule(template.segments.join(""), { tolerant: true });
  return { kernels: signaturesOf(module), stubsWithin: holesAreInBodies(template, module) };
}

/** Whether all holes are in function bodies; `module` is the text of all segments. */
function holesAreInBodies({ segments, holes }: PtxTemplate, module: PtxModule): boolean {
  const { tokens } = module;
  let offset = 0;
  let token = 0;
  return holes.every((_, i) => {
    offset += segments[i]!.length;
    const body = module.functionAt(offset)?.bodySpan;
    if (body === undefined || offset <= body.start || offset >= body.end) return false;
    while (tokens.end(token) < offset) token++;
    // A stub after a line comment would become part of the comment.
    return !["comment", "string", "unknown"].includes(tokens.kind(token));
  });
}

/** Whether a stub leaves its scope unchanged, so that it can't add function headers. */
function staysInScope(stub: string): boolean {
  // Only strings and comments hide braces. Every compile of a template comes through here, and most stubs have neither.
  return stub.includes('"') || stub.includes("/") ? closesWhatItOpens(stub) : hasBalancedBraces(stub);
}

function hasBalancedBraces(stub: string): boolean {
  let depth = 0;
  let open = stub.indexOf("{");
  let close = stub.indexOf("}");
  while (close !== -1) {
    if (open !== -1 && open < close) {
      depth++;
      open = stub.indexOf("{", open + 1);
    } else {
      if (depth-- === 0) return false;
      close = stub.indexOf("}", close + 1);
    }
  }
  return depth === 0 && open === -1;
}

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
