// The sources of a parcel's jobs: the PTX that was sent, or PTX that is generated here from stubs or
// programs.

import type { Source } from "@mm-ptx/cuda/backend";
import type { PtxTemplate } from "@mm-ptx/types/core";
import { checkTemplate, isLocatedPtx, orderStubs, renderedLength } from "@mm-ptx/types/internal";
import { readKernelFile } from "@mm-ptx/types/kernel-file";
import { wrong } from "../frames/frame.js";
import { type Blob, LONGEST_PTX, type Parcel, type ParcelJob } from "../frames/parcel.js";
import type { Form } from "../programs/form.js";
import { hasModestLimits } from "../programs/languages.js";
import { Maker } from "../programs/maker.js";
import type { Programs } from "../programs/programs.js";

type Setup = { readonly template: PtxTemplate } | { readonly maker: Maker | undefined };

/**
 * By submitter, so that nobody can learn from a hash what another submitter has; then by kind of job, and by
 * hash.
 */
const setups = new Map<string, Setup>();
const KEPT = 64;
/** As many steps take a tenth of a second: longer programs are left to their submitter. */
const BOUNDS = { steps: 2 ** 19, characters: LONGEST_PTX };
/** How long the PTX of a parcel's programs takes at most, because nothing else happens meanwhile. */
const MOST_MS = 1000;

/**
 * Makes the source of a job; `undefined` for programs whose PTX can't be generated here.
 *
 * @throws FarmError `FRAME` for invalid content, Error if a setup does not arrive
 */
export async function openSources(
  submitter: string,
  parcel: Parcel,
  get: (blob: Blob) => Promise<Uint8Array>,
): Promise<(job: ParcelJob) => Source | undefined> {
  const setup = parcel.setup && (await setupOf(submitter, parcel, parcel.setup, get));
  let left = MOST_MS;
  return (job) => {
    if (!("words" in job)) return sentSource(job, setup);
    if (setup === undefined || !("maker" in setup) || parcel.form === undefined)
      throw wrong("a kernel", "none");
    // Not even the template of the form, which takes long if the worker can't keep it.
    if (left <= 0) return undefined;
    const start = performance.now();
    const source = setup.maker && madeSource(setup.maker, parcel.form, job, start + left);
    left -= performance.now() - start;
    return source;
  };
}

/** The PTX of programs; `undefined` if it can't be generated, or not until the deadline. */
function madeSource(maker: Maker, form: Form, programs: Programs, deadline: number): Source | undefined {
  try {
    const made = maker.make(form, programs, deadline);
    if (isLocatedPtx(made)) return made.text.length <= LONGEST_PTX ? made : undefined;
    const { template } = made;
    const stubs = orderStubs(template, made.stubs, wrongAt);
    return renderedLength(template, stubs) <= LONGEST_PTX ? { template, stubs } : undefined;
  } catch {
    // The submitter finds out why.
    return undefined;
  }
}

function sentSource(job: Exclude<ParcelJob, Programs>, setup: Setup | undefined): Source {
  if (job instanceof Uint8Array) return short(job);
  if (setup === undefined || !("template" in setup)) throw wrong("a template for stubs", "none");
  const { template } = setup;
  if (job.length !== template.names.length) throw wrong(`${template.names.length} stubs`, `${job.length}`);
  short({ length: renderedLength(template, job) });
  return { template, stubs: job };
}

function short<Ptx extends { readonly length: number }>(ptx: Ptx): Ptx {
  if (ptx.length > LONGEST_PTX) throw wrong(`PTX of at most ${LONGEST_PTX} bytes`, `${ptx.length}`);
  return ptx;
}

async function setupOf(
  submitter: string,
  { form }: Parcel,
  blob: Blob,
  get: (blob: Blob) => Promise<Uint8Array>,
): Promise<Setup> {
  const key = `${submitter} ${form === undefined ? "template" : "kernel"} ${blob.hash}`;
  let setup = setups.get(key);
  if (setup === undefined) {
    const bytes = await get(blob);
    setup = form === undefined ? { template: templateIn(bytes) } : { maker: makerOf(bytes) };
    if (setups.size >= KEPT) setups.clear();
    setups.set(key, setup);
  }
  return setup;
}

const wrongAt = (place: string, expected: string, found: string): Error =>
  wrong(`${expected} at ${place}`, found);

function templateIn(bytes: Uint8Array): PtxTemplate {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw wrong("a template in JSON", "another text");
  }
  return checkTemplate(value, wrongAt);
}

/** Generates the PTX of a kernel; `undefined` if that can't be done here or may take too long. */
function makerOf(bytes: Uint8Array): Maker | undefined {
  try {
    const file = readKernelFile(bytes);
    return file.ptx.length <= LONGEST_PTX && hasModestLimits(file) ? new Maker(file, BOUNDS) : undefined;
  } catch {
    return undefined;
  }
}
