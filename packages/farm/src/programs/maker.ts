// Generates the PTX of a kernel's programs from nothing but a kernel file; it is the same on every machine.

import { type AnnotatedPtx, expandSites, pack, parsePtx } from "@mm-ptx/inject";
import type { FilledKernel, LocatedPtx, PtxTemplate } from "@mm-ptx/types/core";
import { describeError } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { FarmError } from "../error.js";
import { type Form, keyOf } from "./form.js";
import type { StubMaker } from "./language.js";
import { openLanguage } from "./languages.js";
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
  readonly make: StubMaker;
}

/** What a machine spends at most to make PTX for others. */
export interface Bounds {
  /** About how many instructions a program runs, and how many values it computes. */
  readonly steps: number;
  /** Characters of PTX. */
  readonly characters: number;
}

const UNBOUNDED: Bounds = { steps: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
const KEPT = 16;

export class Maker {
  readonly annotated: AnnotatedPtx;
  readonly #bounds: Bounds;
  readonly #makers: ReadonlyMap<string, StubMaker>;
  readonly #shapes = new Map<string, Shape>();

  /**
   * @throws MmPtxError for a file that is corrupt, has no programs, or names a table that this machine does
   * not have
   */
  constructor(file: KernelFile, bounds = UNBOUNDED) {
    this.annotated = parsePtx(file.ptx);
    this.#bounds = bounds;
    this.#makers = openLanguage(file, bounds.steps);
  }

  /** @throws PtxInjectError, FarmError `INVALID_ARGUMENT` */
  shape(form: Form): Shape {
    const key = keyOf(form);
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = this.#makeShape(form);
      this.#checkLength(lengthOf(shape));
      for (const oldest of this.#shapes.keys()) {
        if (this.#shapes.size < KEPT) break;
        this.#shapes.delete(oldest);
      }
      this.#shapes.set(key, shape);
    }
    return shape;
  }

  /**
   * @param deadline when to stop, as `performance.now()` has it; a program that has begun is finished
   * @throws FarmError `INVALID_ARGUMENT` for a program that can't be compiled, and beyond the bounds; PtxInjectError
   */
  make(form: Form, programs: Programs, deadline = Number.POSITIVE_INFINITY): FilledKernel | LocatedPtx {
    const { annotated, places } = this.shape(form);
    const stubs = this.#stubs(places, programs, deadline);
    if (form.kind !== "pack") return annotated.fill(recordOf(places, stubs));
    const each = places.length / form.count;
    return pack(
      annotated,
      Array.from({ length: form.count }, (_, i) =>
        recordOf(places.slice(0, each), stubs.slice(i * each, (i + 1) * each)),
      ),
    );
  }

  #stubs(places: readonly Place[], programs: Programs, deadline: number): readonly string[] {
    const all = programsIn(programs);
    if (all.length !== places.length) throw invalid(`${places.length} programs`, `${all.length}`);
    let length = 0;
    return all.map((words, i) => {
      const { name, make } = places[i]!;
      try {
        if (performance.now() > deadline) throw invalid("programs that take less time", "too much work");
        const stub = make(words);
        length += stub.length;
        this.#checkLength(length);
        return stub;
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

  #checkLength(length: number): void {
    const { characters } = this.#bounds;
    if (length > characters) throw invalid(`at most ${characters} characters of PTX`, "more");
  }

  #makeShape(form: Form): Shape {
    const { annotated } = this;
    if (form.kind === "fill") return this.#shapeOf(annotated, undefined);
    if (form.kind === "alternatives") {
      const { site, count, select } = form;
      return this.#shapeOf(expandSites(annotated, site, count, select === undefined ? {} : { select }), form);
    }
    const one = this.#shapeOf(annotated, undefined);
    // Before the text exists: a few bytes ask for a pack of many gigabytes.
    this.#checkLength(form.count * lengthOf(one));
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
      const make = this.#makers.get(own);
      if (make !== undefined) return { name, make };
      throw invalid(`programs for site \`${name}\``, "none");
    });
    return { annotated, places, outline: annotated.template() };
  }
}

/** Characters without those of the stubs. */
const lengthOf = ({ outline }: Shape): number =>
  outline.segments.reduce((sum, segment) => sum + segment.length, 0);

const isAlternative = (name: string, { site, count }: { readonly site: string; readonly count: number }) => {
  if (!name.startsWith(`${site}_`)) return false;
  const index = name.slice(site.length + 1);
  return /^(0|[1-9]\d*)$/.test(index) && Number(index) < count;
};

const recordOf = (places: readonly Place[], stubs: readonly string[]): Record<string, string> =>
  Object.fromEntries(places.map(({ name }, i) => [name, stubs[i]!]));

const invalid = (expected: string, found: string): FarmError =>
  new FarmError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
