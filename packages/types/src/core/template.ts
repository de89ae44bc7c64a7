// PTX with holes, as it passes between packages, threads and processes: plain, frozen, safe to clone and to write as JSON.
// `@mm-ptx/inject` makes templates; whoever has one and the stubs can render without the text that it was made from.

/** How the lines of one segment relate to those of the kernel's text. All counts are of line feeds. */
export interface SegmentLines {
  /** The line of the kernel, counted from 1, in which the kernel's own text of this segment begins. */
  readonly kernelLine: number;
  /** Lines that end within the segment. */
  readonly lines: number;
  /** Of those, lines at the beginning that the kernel does not have: they belong to the site before. */
  readonly head: number;
  /** Of those, lines at the end that the kernel does not have: they belong to the site that follows. */
  readonly tail: number;
}

/**
 * The text of a kernel around its sites. A rendering is `segments[0]`, the stub of `names[holes[0]]`, `segments[1]`, and so
 * on: there is one more segment than holes.
 */
export interface PtxTemplate {
  /** The injections, each with one stub in a rendering. */
  readonly names: readonly string[];
  readonly segments: readonly string[];
  /** For each hole the index of its injection in `names`. */
  readonly holes: readonly number[];
  /** One for each segment. */
  readonly lines: readonly SegmentLines[];
}
