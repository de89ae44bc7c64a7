// How the programs of a job are used: one for each site of a kernel, as alternatives of a site, or in the
// kernels of a pack.

import { isCount, isObject, wrong } from "../frames/frame.js";

export type Form =
  | { readonly kind: "fill" }
  | {
      readonly kind: "alternatives";
      readonly site: string;
      readonly count: number;
      /** As in `expandSites` of `@mm-ptx/inject`. */
      readonly select?: string | undefined;
    }
  | { readonly kind: "pack"; readonly count: number };

/** The most programs in a job that a worker takes. */
export const MOST_PROGRAMS = 4096;

/** @throws FarmError `FRAME` */
export function checkForm(value: unknown): Form {
  if (!isObject(value)) throw wrong("the form of programs", "something else");
  const { kind, site, count, select } = value;
  if (kind === "fill") return { kind };
  if (!isCount(count) || count < 1 || count > MOST_PROGRAMS)
    throw wrong(`1 to ${MOST_PROGRAMS} programs`, String(count));
  if (kind === "pack") return { kind, count };
  if (kind !== "alternatives" || typeof site !== "string")
    throw wrong("a known form of programs", String(kind));
  if (select === undefined) return { kind, site, count };
  if (typeof select !== "string") throw wrong("what selects an alternative", "something else");
  return { kind, site, count, select };
}

/** Identifies a form. */
export const keyOf = (form: Form): string =>
  form.kind === "fill"
    ? form.kind
    : form.kind === "pack"
      ? `pack ${form.count}`
      : `alternatives ${form.count} ${form.site} ${form.select ?? ""}`;
