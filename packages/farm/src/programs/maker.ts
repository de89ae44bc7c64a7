// Generates the PTX of a kernel's programs from nothing but a kernel file; it is the same on every machine.

import { type AnnotatedPtx, expandSites, pack, parsePtx } from "@mm-ptx/inject";
import { StackCompiler, type StackKernelJob, StackProgram, stackFromKernelFile } from "@mm-ptx/stack";
import { table as defaultTable } from "@mm-ptx/stack/default";
import type { FilledKernel, LocatedPtx, PtxTemplate, StackTable } from "@mm-ptx/types/core";
import { describeError } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { FarmError } from "../error.js";
import { type Form, keyOf } from "./form.js";
import { type Programs, programsIn } from "./programs.js";

/** A form of a kernel. */
export interface Shape {
  /** The kernel with the sites that are filled. */
  readonly annotated: AnnotatedPtx;
  /** What each program is for, in order. */
  readonly places: readonly Place[];
  /** A template with the kernels of the PTX. */
  readonly outline: PtxTemplate;
}

interface Place {
  /** The name of the injection that is filled. */
  readonly name: string;
  readonly job: StackKernelJob["job"];
}

const KEPT = 16;

export class Maker {
  readonly annotated: AnnotatedPtx;
  readonly #compiler: StackCompiler;
  readonly #jobs: ReadonlyMap<string, StackKernelJob["job"]>;
  readonly #shapes = new Map<string, Shape>();

  /**
   * @throws MmPtxError for a file that is corrupt, has no Stack PTX programs, or names a table that this
   * machine does not have
   */
  constructor(file: KernelFile, tables: readonly StackTable[] = [defaultTable]) {
    const part = stackFromKernelFile(file, tables);
    if (part === undefined)
      throw new FarmError("FRAME", "expected a kernel with Stack PTX, found another one");
    this.annotated = parsePtx(file.ptx);
    this.#compiler = new StackCompiler(part.table, part.options);
    this.#jobs = new Map(part.jobs.map(({ site, job }) => [site, job]));
  }

  /** @throws PtxInjectError, FarmError `INVALID_ARGUMENT` */
  shape(form: Form): Shape {
    const key = keyOf(form);
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = this.#makeShape(form);
      for (const oldest of this.#shapes.keys()) {
        if (this.#shapes.size < KEPT) break;
        this.#shapes.delete(oldest);
      }
      this.#shapes.set(key, shape);
    }
    return shape;
  }

  /** @throws FarmError `INVALID_ARGUMENT` for a program that can't be compiled, PtxInjectError */
  make(form: Form, programs: Programs): FilledKernel | LocatedPtx {
    const { annotated, places } = this.shape(form);
    const stubs = this.#stubs(places, programs);
    if (form.kind !== "pack") return annotated.fill(recordOf(places, stubs));
    const each = places.length / form.count;
    return pack(
      annotated,
      Array.from({ length: form.count }, (_, i) =>
        recordOf(places.slice(0, each), stubs.slice(i * each, (i + 1) * each)),
      ),
    );
  }

  #stubs(places: readonly Place[], programs: Programs): readonly string[] {
    const all = programsIn(programs);
    if (all.length !== places.length)
      throw new FarmError("INVALID_ARGUMENT", `expected ${places.length} programs, found ${all.length}`);
    return all.map((words, i) => {
      const { name, job } = places[i]!;
      try {
        return this.#compiler.compile(StackProgram.fromWords(words), job);
      } catch (cause) {
        throw new FarmError(
          "INVALID_ARGUMENT",
          `program ${i}, for site \`${name}\`: ${describeError(cause)}`,
          {
            cause,
          },
        );
      }
    });
  }

  #makeShape(form: Form): Shape {
    const { annotated } = this;
    if (form.kind === "fill") return this.#shapeOf(annotated, undefined);
    if (form.kind === "alternatives") {
      const { site, count, select } = form;
      return this.#shapeOf(expandSites(annotated, site, count, select === undefined ? {} : { select }), form);
    }
    const one = this.#shapeOf(annotated, undefined);
    const empty = Object.fromEntries(one.places.map(({ name }) => [name, ""]));
    const { text } = pack(annotated, new Array(form.count).fill(empty));
    const lines = { kernelLine: 1, lines: text.split("\n").length - 1, head: 0, tail: 0 };
    return {
      annotated,
      places: Array.from({ length: form.count }, () => one.places).flat(),
      outline: { names: [], segments: [text], holes: [], lines: [lines] },
    };
  }

  #shapeOf(annotated: AnnotatedPtx, form: Extract<Form, { kind: "alternatives" }> | undefined): Shape {
    const places = annotated.injections.map(({ name }) => {
      const own = form !== undefined && isAlternative(name, form) ? form.site : name;
      const job = this.#jobs.get(own);
      if (job !== undefined) return { name, job };
      throw new FarmError("INVALID_ARGUMENT", `expected programs for site \`${name}\`, found none`);
    });
    return { annotated, places, outline: annotated.template() };
  }
}

const isAlternative = (name: string, { site, count }: { readonly site: string; readonly count: number }) => {
  if (!name.startsWith(`${site}_`)) return false;
  const index = name.slice(site.length + 1);
  return /^(0|[1-9]\d*)$/.test(index) && Number(index) < count;
};

const recordOf = (places: readonly Place[], stubs: readonly string[]): Record<string, string> =>
  Object.fromEntries(places.map(({ name }, i) => [name, stubs[i]!]));
