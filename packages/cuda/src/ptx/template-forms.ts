// Data derived from templates: the digest, the copy in native memory, the kernels. It is keyed by content, so that
// structured clones share all of it. Each template object is hashed once.

import { hash } from "node:crypto";
import type { PtxTemplate } from "@mm-ptx/types/core";
import type { NativeTemplate } from "../native/load.js";
import type { TemplateKernels } from "./kernels.js";

/** The data that templates of the same content share. */
export interface TemplateForm {
  /** SHA-256 of the segments and holes. */
  readonly digest: string;
  readonly length: number;
  native?: NativeTemplate;
  kernels?: TemplateKernels;
}

const ofObject = new WeakMap<PtxTemplate, TemplateForm>();

/** By digest and number of names. A form lives as long as one of its template objects, or while it is recent. */
const ofContent = new Map<string, WeakRef<TemplateForm>>();
const collected = new FinalizationRegistry<string>((key) => {
  if (ofContent.get(key)?.deref() === undefined) ofContent.delete(key);
});

/**
 * Successive clones, such as messages of a worker, share a form even if the previous clone has been garbage-collected.
 */
const RECENT_FORMS = 16;
const RECENT_CHARACTERS = 16 * 2 ** 20;
const recent = new Map<string, TemplateForm>();

/** The form of a template, which must be frozen. */
export function formOf(template: PtxTemplate): TemplateForm {
  let form = ofObject.get(template);
  if (form === undefined) {
    form = formOfContent(template);
    ofObject.set(template, form);
  }
  return form;
}

/** The number of known forms, for tests. */
export const formCount = (): number => ofContent.size;

function formOfContent({ segments, holes, names }: PtxTemplate): TemplateForm {
  const digest = hash("sha256", JSON.stringify([segments, holes]));
  const key = `${digest} ${names.length}`;
  let form = ofContent.get(key)?.deref();
  if (form === undefined) {
    form = { digest, length: segments.reduce((sum, segment) => sum + segment.length, 0) };
    ofContent.set(key, new WeakRef(form));
    collected.register(form, key);
  }
  keepRecent(key, form);
  return form;
}

function keepRecent(key: string, form: TemplateForm): void {
  recent.delete(key);
  recent.set(key, form);
  let characters = 0;
  for (const one of recent.values()) characters += one.length;
  for (const [oldest, { length }] of recent) {
    if (oldest === key || (recent.size <= RECENT_FORMS && characters <= RECENT_CHARACTERS)) break;
    recent.delete(oldest);
    characters -= length;
  }
}
