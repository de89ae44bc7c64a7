// The corpus: small real kernels, each a folder of tests/kernels with both annotation styles, nvcc's output,
// and the required contents of the PTX. A scan finds them, so that every test that runs the corpus includes
// new folders.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnnotatedPtx, parsePtx } from "../../packages/inject/dist/index.js";
import { ROOT } from "./workspace.js";

/**
 * How a site got into the PTX: `macro` with ptx_inject.h, `comment` with annotations that `annotateCuda` turned into
 * asm, `legacy` with the asm that the tool of mm-ptx 0.x wrote for the same annotations.
 */
export const STYLES = ["macro", "comment", "legacy"] as const;
export type Style = (typeof STYLES)[number];

/** An injection that the PTX of each style must contain. */
export interface ExpectedInjection {
  readonly name: string;
  /** The number of sites by the function that contains them. */
  readonly sites: Readonly<Record<string, number>>;
  /** Direction, register type, type word of the macro and name, in canonical order. */
  readonly operands: readonly string[];
}

interface Expected {
  /** The target of nvcc, for example `compute_75`. */
  readonly arch: string;
  /** Other options of nvcc. */
  readonly options?: readonly string[];
  readonly injections: readonly ExpectedInjection[];
}

const FOLDER = join(ROOT, "tests/kernels");
const FILES = [
  "macro.cu",
  "comment.cu",
  "expected.json",
  ...STYLES.map((style) => `${style}.ptx`),
] as readonly string[];

/** One kernel file of the corpus. */
export class Kernel {
  readonly name: string;
  readonly folder: string;
  readonly arch: string;
  readonly options: readonly string[];
  readonly injections: readonly ExpectedInjection[];
  readonly #parsed = new Map<Style, AnnotatedPtx>();

  constructor(name: string) {
    this.name = name;
    this.folder = join(FOLDER, name);
    const expected: Expected = JSON.parse(this.#read("expected.json"));
    this.arch = expected.arch;
    this.options = expected.options ?? [];
    this.injections = expected.injections;
  }

  /** The target of its PTX, for example `sm_75`. */
  get target(): string {
    return this.arch.replace("compute", "sm");
  }

  /** The annotated CUDA. */
  source(style: "macro" | "comment"): string {
    return this.#read(`${style}.cu`);
  }

  ptxFile(style: Style): string {
    return join(this.folder, `${style}.ptx`);
  }

  ptx(style: Style): string {
    return this.#read(`${style}.ptx`);
  }

  /** The committed PTX, parsed; the same object each time. */
  annotated(style: Style): AnnotatedPtx {
    let annotated = this.#parsed.get(style);
    if (annotated === undefined) {
      annotated = parsePtx(this.ptx(style));
      this.#parsed.set(style, annotated);
    }
    return annotated;
  }

  #read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }
}

/** All kernels, by name. */
export const KERNELS: readonly Kernel[] = readdirSync(FOLDER)
  .filter((name) => existsSync(join(FOLDER, name, "expected.json")))
  .sort()
  .map((name) => new Kernel(name));

/** Every kernel in every style, for `test.each`. */
export const KERNEL_STYLES = KERNELS.flatMap((kernel) =>
  STYLES.map((style) => ({ name: kernel.name, kernel, style })),
);

/** Files in the folder that belong to no kernel, and files that kernels lack. */
export function misplaced(): string[] {
  const found = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const wanted = KERNELS.flatMap(({ folder }) => FILES.map((file) => join(folder, file)));
  return [
    ...found.filter((file) => !wanted.includes(file)).map((file) => `unknown file ${file}`),
    ...wanted.filter((file) => !found.includes(file)).map((file) => `missing file ${file}`),
  ];
}
