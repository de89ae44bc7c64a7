// A parsed PTX text: its injections to look at, and rendering. What sites look like in the text is known to marked/ alone.
import type { FilledKernel, InjectTypes, PtxTemplate } from "@mm-ptx/types/core";
import { describeValue } from "@mm-ptx/types/internal";
import { fingerprintOf } from "./binary/fingerprint.js";
import { readBytes } from "./binary/read.js";
import { writeBytes } from "./binary/write.js";
import { PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import { type Injection, injectionsOf } from "./injection.js";
import { Kernel } from "./kernel.js";
import { defineLazy } from "./lazy.js";
import { atIndex, unknownName } from "./lookup.js";
import { type Scan, scan } from "./marked/scan.js";
import { checkOptionNames, checkTypes } from "./options.js";
import { Renderer, type RenderOptions } from "./render/renderer.js";
import type { Stubs } from "./render/stubs.js";
import type { StubWarning } from "./render/warnings.js";

/** How PTX is read. */
export interface ParseOptions {
  /**
   * What the types of 0.x sites are, whose lines do not say it; those of our inject description by default. Markers of 1.x
   * say all by themselves.
   */
  readonly types?: InjectTypes;
}

/**
 * Reads PTX that was compiled from CUDA with `PTX_INJECT` sites, those of mm-ptx 0.x (`// %f1 mod f32 y`) too, one text
 * may have both. A site of 0.x becomes what one of 1.x is: a scope with registers `_x0`, `_x1`, … in the order of its lines.
 *
 * Text without sites is fine and renders to itself. LF and CRLF line ends are taken, in one text too.
 *
 * @throws PtxInjectError FORMATTING when a site breaks the grammar of markers, INCONSISTENT_INJECTION when sites of one
 * name differ in their operands, UNKNOWN_TYPE when `types` lacks the type of a 0.x site, INVALID_ARGUMENT when `text` is not a
 * string or an option not what it should be.
 */
export function parsePtx(text: string, options: ParseOptions = {}): AnnotatedPtx {
  if (typeof text !== "string")
    throw new PtxInjectError("INVALID_ARGUMENT", `expected PTX text, found ${describeValue(text)}`);
  checkOptionNames("parsePtx", options, ["types"]);
  const { types = defaultTypes } = options;
  return new AnnotatedPtx(
    () => text,
    scan(text, checkTypes(types)),
    () => fingerprintOf(text, types.fingerprint),
  );
}

/**
 * PTX with its injections, ready to render any number of times. Made by `parsePtx`.
 *
 * A structured clone of it, or of `injections`, has text, names, operands and sites with everything, as plain values without
 * methods. To work with it in another thread or process, send `toBytes()` there.
 */
export class AnnotatedPtx {
  /** The text as parsed. */
  declare readonly text: string;
  /** One for each name, in order of first appearance. */
  declare readonly injections: readonly Injection[];
  readonly #scanned: Scan;
  readonly #makeFingerprint: () => string;
  #fingerprint: string | undefined;
  #kernel: Kernel | undefined;
  #renderer: Renderer | undefined;
  #byName: Map<string, Injection> | undefined;

  /** @internal */
  constructor(text: () => string, scanned: Scan, fingerprint: () => string) {
    this.#scanned = scanned;
    this.#makeFingerprint = fingerprint;
    defineLazy(this, "text", text);
    defineLazy(this, "injections", () => injectionsOf(() => this.#around(), scanned));
  }

  /**
   * What `toBytes` gave, in a tenth of the time that parsing takes. The tables are checked here. Injections, and the text,
   * whose string alone takes longer than parsing it, are decoded and checked when they are first needed. The bytes are not copied: they must not change.
   *
   * @throws PtxInjectError FILE_FORMAT, FILE_TRUNCATED or FILE_CHECKSUM, with `offset`; later, when the text is first needed,
   * FILE_CHECKSUM. INVALID_ARGUMENT for what are no bytes.
   */
  static fromBytes(bytes: Uint8Array): AnnotatedPtx {
    if (!(bytes instanceof Uint8Array)) {
      const message = `expected a Uint8Array of annotated PTX, found ${describeValue(bytes)}`;
      throw new PtxInjectError("INVALID_ARGUMENT", message);
    }
    const stored = readBytes(bytes);
    return new AnnotatedPtx(stored.text, stored.scanned, () => stored.fingerprint);
  }

  /**
   * All of it as bytes, to be kept in a file or sent to another thread; `AnnotatedPtx.fromBytes` reads them. The format is
   * described in docs/annotated-file.md of the repository.
   *
   * @throws PtxInjectError INVALID_ARGUMENT for a text that UTF-8 can't hold.
   */
  toBytes(): Uint8Array {
    return writeBytes(this.text, this.#scanned, this.fingerprint);
  }

  /**
   * What identifies it in caches: SHA-256 of the text and the types that it was parsed with, as 64 hex digits. Computed when
   * it is first asked for.
   *
   * @throws PtxInjectError INVALID_ARGUMENT for a text that UTF-8 can't hold.
   */
  get fingerprint(): string {
    this.#fingerprint ??= this.#makeFingerprint();
    return this.#fingerprint;
  }

  /**
   * The injection of this name, or the one at this place in `injections`.
   *
   * @throws PtxInjectError INJECTION_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_ARGUMENT for what is neither.
   */
  injection(nameOrIndex: string | number): Injection {
    if (typeof nameOrIndex !== "string") return atIndex(this.injections, nameOrIndex, "injection");
    const found = this.#named().get(nameOrIndex);
    if (found !== undefined) return found;
    throw unknownName("INJECTION_NAME_NOT_FOUND", "injection", nameOrIndex, this.injections);
  }

  /**
   * The text with every site replaced by its injection's stub; everything else stays as it is. A stub is PTX without
   * the line end after its last line.
   *
   * @throws PtxInjectError WRONG_NUM_STUBS when an injection has no stub, INJECTION_NAME_NOT_FOUND for a stub of an unknown
   * name, INVALID_STUB for one that would change the text around it, INVALID_INPUT for one that is not a string, INVALID_ARGUMENT
   * when `stubs` is not an object or an option is unknown.
   */
  render(stubs: Stubs, options?: RenderOptions): string {
    return this.#render().text(stubs, options);
  }

  /**
   * Writes what `render` gives into `bytes` from `offset` on, as UTF-8 (ASCII where the texts are ASCII), and gives the
   * number of bytes written. Faster than `render` for texts above 128 KB. The first call keeps the text in bytes for the others.
   *
   * @throws PtxInjectError as `render`; INSUFFICIENT_BUFFER when the text does not fit: nothing was written then, unless the text is not ASCII.
   */
  renderInto(stubs: Stubs, bytes: Uint8Array, offset = 0, options?: RenderOptions): number {
    return this.#render().into(stubs, bytes, offset, options);
  }

  /**
   * The kernel with these stubs, as plain, frozen data that can be cloned, written as JSON and sent to other threads. It is what
   * compilers, linkers and devices take in place of the rendered text: their errors then name injection, site and stub line.
   *
   * @throws PtxInjectError as `render`
   */
  fill(stubs: Stubs, options?: RenderOptions): FilledKernel {
    return this.#render().fill(stubs, options);
  }

  /**
   * What is probably wrong with stubs that `render` accepts, in the order of the injections. The PTX compiler may take them
   * all the same, and make something else of the kernel than was meant.
   *
   * @param stubs by injection name, or a filled kernel of this text
   * @throws PtxInjectError as `render`; INVALID_ARGUMENT for a filled kernel of another text
   */
  warnings(stubs: Stubs | FilledKernel, options?: RenderOptions): readonly StubWarning[] {
    return this.#render().warnings(stubs, options);
  }

  /** The text around the sites as a plain, frozen value, to be rendered somewhere else. */
  template(): PtxTemplate {
    return this.#render().template();
  }

  #render(): Renderer {
    this.#renderer ??= new Renderer(this.#around(), this.#scanned, this.injections);
    return this.#renderer;
  }

  #around(): Kernel {
    this.#kernel ??= new Kernel(this.text, this.#scanned);
    return this.#kernel;
  }

  #named(): Map<string, Injection> {
    this.#byName ??= new Map(this.injections.map((injection) => [injection.name, injection]));
    return this.#byName;
  }
}
