// Everything that determines a cubin, as one hash: the PTX, the options that change machine code, the compiler's version,
// and the processor that it runs on, since constants that it folds may differ in the last bit. It makes no difference
// which backend runs that compiler.

import { hash } from "node:crypto";
import type { Backend, BackendJob } from "../ptx/backend.js";
import { isMade, type Source } from "../ptx/source.js";
import { decisiveArguments } from "../ptx/target.js";
import { formOf } from "../ptx/template-forms.js";
import { tenantDigest } from "./location.js";

/** Raised when the meaning of the same compiler arguments changes. */
const SCHEMA = "mm-ptx cubin 3";

/** 64 hex digits. Equal PTX has equal keys, as a string or as bytes; a template with stubs, and a recipe, have separate keys. */
export function cacheKey(
  { source, target }: BackendJob,
  { version, identity = `${process.arch} ${version}` }: Pick<Backend, "identity" | "version">,
  tenant?: string,
): string {
  const options = decisiveArguments(target).join(" ");
  const owner = tenant === undefined ? "" : `tenant ${tenantDigest(tenant)}\n`;
  return hash("sha256", `${SCHEMA}\n${owner}${identity}\n${options}\n${identityOf(source)}`);
}

/** Identifies a source: a digest, and the text of a template's stubs. */
function identityOf(source: Source): string {
  if (isMade(source)) return `recipe ${source.recipe.digest}`;
  if (typeof source === "string" || source instanceof Uint8Array) return hash("sha256", source);
  if ("text" in source) return hash("sha256", source.text);
  const { template, stubs } = source;
  const lengths = stubs.map((stub) => stub.length).join(" ");
  return `template ${formOf(template).digest}\n${lengths}\n${stubs.join("")}`;
}
