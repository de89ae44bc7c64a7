// Renders one parsed text. The text is cut once; whatever is needed rarely is created on first use.
import { deepFreeze, type FilledKernel, type PtxTemplate } from "@mm-ptx/types/core";
import { describeValue, fillOrdered, joinSegments, type Segments } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import type { Injection } from "../injection.js";
import type { Kernel } from "../kernel.js";
import type { Scan } from "../marked/scan.js";
import { checkOptions, STUB_OPTIONS } from "../options.js";
import { type Image, imageOf } from "./image.js";
import { type RenderMemory, renderMemory } from "./memory.js";
import { cut, segmentLines } from "./segments.js";
import { checkStructure } from "./structure.js";
import { type Missing, StubOrder, type Stubs, stubsOf } from "./stubs.js";
import { renderBytes, renderedSize } from "./text.js";
import { type StubWarning, warningsOf } from "./warnings.js";

/** Options of `render` and of the other methods that take stubs. */
export interface RenderOptions {
  /** What to do with an injection that has no stub: `"error"` by default, or `"empty"`, which leaves its sites empty. */
  readonly missing?: Missing;
  /**
   * Whether stubs are checked before they are inserted, true by default: braces, comments and strings must be
   * closed within the stub, and a stub must not contain a marker.
   */
  readonly check?: boolean;
}

export class Renderer {
  readonly #kernel: Kernel;
  readonly #scanned: Scan;
  readonly #injections: readonly Injection[];
  readonly #segments: Segments;
  readonly #order: StubOrder;
  #cutLines: PtxTemplate | undefined;
  #cutBytes: Image | undefined;

  /** @param injections the injections of the text, in the order of the scan's groups */
  constructor(kernel: Kernel, scanned: Scan, injections: readonly Injection[]) {
    this.#kernel = kernel;
    this.#scanned = scanned;
    this.#injections = injections;
    this.#segments = cut(kernel.text, scanned);
    this.#order = new StubOrder(injections);
  }

  text(stubs: Stubs, options?: RenderOptions): string {
    return joinSegments(this.#segments, this.#checked("render", stubs, options));
  }

  into(stubs: Stubs, bytes: Uint8Array, offset: number, options?: RenderOptions): number {
    if (!(bytes instanceof Uint8Array)) throw invalid("a Uint8Array to render into", bytes);
    if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length)
      throw invalid(`an offset from 0 to ${bytes.length}`, offset);
    const ordered = this.#ordered("renderInto", stubs, options);
    const memory = renderMemory();
    const loaded = memory?.useImage(this.#image()) === true && memory.useStubs(ordered);
    if (options?.check ?? true) checkStubs(ordered, this.#injections, loaded ? memory : undefined);

    const room = bytes.length - offset;
    if (loaded) {
      const size = memory.renderedSize();
      if (size > room) throw tooSmall(size, room);
      const rendered = memory.render(size);
      if (rendered !== undefined) {
        bytes.set(rendered, offset);
        return size;
      }
    }
    const written = renderBytes(this.#segments, ordered, bytes, offset);
    if (written < 0) throw tooSmall(renderedSize(this.#segments, ordered), room);
    return written;
  }

  fill(stubs: Stubs, options?: RenderOptions): FilledKernel {
    return fillOrdered(this.template(), this.#checked("fill", stubs, options));
  }

  /** Names are looked up at the first site of each injection, which represents all its sites. */
  warnings(stubs: Stubs | FilledKernel, options?: RenderOptions): readonly StubWarning[] {
    const ordered = this.#checked(
      "warnings",
      stubsOf(stubs, () => this.template()),
      options,
    );
    return Object.freeze(
      this.#injections.flatMap((injection, index) =>
        warningsOf(ordered[index]!, injection, (name) =>
          this.#kernel.kindAt(name, injection.sites[0]!.span.start),
        ),
      ),
    );
  }

  template(): PtxTemplate {
    this.#cutLines ??= deepFreeze({
      names: this.#injections.map(({ name }) => name),
      ...this.#segments,
      lines: segmentLines(this.#kernel.text, this.#scanned),
    });
    return this.#cutLines;
  }

  /** The stubs in the order of the injections, after checking them. */
  #checked(whose: string, stubs: Stubs, options: RenderOptions | undefined): readonly string[] {
    const ordered = this.#ordered(whose, stubs, options);
    if (options?.check ?? true) {
      const memory = renderMemory();
      checkStubs(ordered, this.#injections, memory?.useStubs(ordered) ? memory : undefined);
    }
    return ordered;
  }

  #ordered(whose: string, stubs: Stubs, options: RenderOptions | undefined): readonly string[] {
    if (options !== undefined) checkOptions(whose, options, STUB_OPTIONS);
    return this.#order.of(stubs, options?.missing ?? "error");
  }

  #image(): Image {
    this.#cutBytes ??= imageOf(this.#segments, this.#injections.length);
    return this.#cutBytes;
  }
}

/**
 * Checks every stub. If the memory contains the stubs, only those that it reports as suspicious need a full
 * check.
 *
 * @throws PtxInjectError INVALID_STUB
 */
function checkStubs(
  stubs: readonly string[],
  injections: readonly Injection[],
  memory: RenderMemory | undefined,
): void {
  const next = (from: number): number => memory?.findOdd(from) ?? from;
  for (let i = next(0); i < stubs.length; i = next(i + 1)) checkStructure(stubs[i]!, injections[i]!.name);
}

const tooSmall = (size: number, room: number): PtxInjectError =>
  new PtxInjectError("INSUFFICIENT_BUFFER", `expected room for ${size} bytes, found ${room}`);

const invalid = (expected: string, found: unknown): PtxInjectError =>
  new PtxInjectError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
