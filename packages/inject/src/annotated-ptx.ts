// A parsed PTX text: its injections, and rendering. Only marked/ knows the syntax of sites.
import type { FilledKernel, InjectTypes, PtxTemplate } from "@mm-ptx/types/core";
import { type Checks, defineLazy, describeValue, isAnything, withoutFinalNul } from "@mm-ptx/types/internal";
import { fingerprintOf } from "./binary/fingerprint.js";
import { readBytes } from "./binary/read.js";
import { writeBytes } from "./binary/write.js";
import { PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import { type Injection, injectionsOf } from "./injection.js";
import { Kernel } from "./kernel.js";
import { atIndex, unknownName } from "./lookup.js";
import { DEFAULT_PREFIX } from "./marked/legacy.js";
import { markerText } from "./marked/marker.js";
import { type Scan, scan } from "./marked/scan.js";
import { checkOptions, checkTypes, isRegisterPrefix } from "./options.js";
import { Renderer, type RenderOptions } from "./render/renderer.js";
import type { Stubs } from "./render/stubs.js";
import type { StubWarning } from "./render/warnings.js";

/** Options of `parsePtx`. */
export interface ParseOptions {
  /**
   * The types that 0.x sites name; by default those of the inject description. Sites of 1.0 and 1.1 contain all that
   * is needed.
   */
  readonly types?: InjectTypes;
  /**
   * The prefix of the registers that stubs use at 0.x sites. The default is `_x`, for registers `_x0`, `_x1` and so on.
   * Stubs that were written for mm-ptx 0.x use `z`. Sites of 1.0 and 1.1 state their registers.
   */
  readonly registerPrefix?: string;
}

const OPTIONS: Checks = { types: isAnything, registerPrefix: isRegisterPrefix };

/**
 * Reads PTX that was compiled from CUDA with `PTX_INJECT` sites. Sites of mm-ptx 0.x (`// %f1 mod f32 y`) are
 * accepted too, even in a text that also has sites of 1.0 or 1.1. They are converted: a scope with registers `_x0`,
 * `_x1`, … (see `registerPrefix`) in the order of the operand lines.
 *
 * Text without sites is accepted, and renders to itself. Line ends may be LF, CRLF or a mixture of both. NULs at
 * the end are dropped: they end the string in C, and NVRTC counts one in the size of its PTX.
 *
 * @throws PtxInjectError FORMATTING if a site is malformed, INCONSISTENT_INJECTION if sites of the same name
 * have different operands, UNKNOWN_TYPE if `types` lacks the type of a 0.x site, INVALID_ARGUMENT if `text`
 * is not a string or an option is invalid.
 */
export function parsePtx(text: string, options: ParseOptions = {}): AnnotatedPtx {
  if (typeof text !== "string")
    throw new PtxInjectError("INVALID_ARGUMENT", `expected PTX text, found ${describeValue(text)}`);
  checkOptions("parsePtx", options, OPTIONS);
  const { types = defaultTypes, registerPrefix: prefix = DEFAULT_PREFIX } = options;
  const ptx = withoutFinalNul(text);
  return new AnnotatedPtx(
    () => ptx,
    scan(ptx, { types: checkTypes(types), prefix }),
    () => fingerprintOf(ptx, types.fingerprint, prefix),
  );
}

/**
 * PTX with its injections, which can be rendered any number of times. `parsePtx` creates it.
 *
 * A structured clone of it, or of `injections`, contains the text, names, operands and sites as plain values
 * without methods. To render in another thread or process, send the result of `toBytes()` there.
 */
export class AnnotatedPtx {
  /** The text as parsed, without NULs at its end. */
  declare readonly text: string;
  /** One injection for each name, in order of first appearance. */
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
   * Reads the result of `toBytes`, in a tenth of the time that parsing takes. The tables are checked
   * immediately. Injections and the text are decoded and checked on first use, because creating the string
   * alone takes longer than parsing it. The bytes are not copied and must not be modified.
   *
   * @throws PtxInjectError FILE_FORMAT, FILE_TRUNCATED or FILE_CHECKSUM, with `offset`; FILE_FORMAT or
   * FILE_CHECKSUM also later, on first use of the injections or the text; INVALID_ARGUMENT if `bytes` is not
   * a Uint8Array.
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
   * Serializes the text and its injections, to be stored in a file or sent to another thread;
   * `AnnotatedPtx.fromBytes` reads the bytes. The format is described in docs/annotated-file.md of the
   * repository.
   *
   * @throws PtxInjectError INVALID_ARGUMENT if the text cannot be encoded as UTF-8.
   */
  toBytes(): Uint8Array {
    return writeBytes(this.text, this.#scanned, this.fingerprint);
  }

  /**
   * The key for caches: SHA-256 of the text and the types that it was parsed with, as 64 hex digits. It is
   * computed on first use.
   *
   * @throws PtxInjectError INVALID_ARGUMENT if the text cannot be encoded as UTF-8.
   */
  get fingerprint(): string {
    this.#fingerprint ??= this.#makeFingerprint();
    return this.#fingerprint;
  }

  /**
   * The injection of this name, or the one at this index of `injections`.
   *
   * @throws PtxInjectError INJECTION_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_ARGUMENT if it is neither
   * a name nor an index.
   */
  injection(nameOrIndex: string | number): Injection {
    if (typeof nameOrIndex !== "string") return atIndex(this.injections, nameOrIndex, "injection");
    const found = this.#named().get(nameOrIndex);
    if (found !== undefined) return found;
    throw unknownName("INJECTION_NAME_NOT_FOUND", "injection", nameOrIndex, this.injections);
  }

  /**
   * Returns the text with every site replaced by the stub of its injection; everything else stays as it is. A
   * stub is PTX without a line end after its last line.
   *
   * @throws PtxInjectError WRONG_NUM_STUBS if an injection has no stub, INJECTION_NAME_NOT_FOUND for a stub
   * of an unknown name, INVALID_STUB for a stub that would change the text around it, INVALID_INPUT for a
   * stub that is not a string, INVALID_ARGUMENT if `stubs` is not an object or an option is unknown.
   */
  render(stubs: Stubs, options?: RenderOptions): string {
    return this.#render().text(stubs, options);
  }

  /**
   * Writes what `render` returns into `bytes`, starting at `offset`, as UTF-8, and returns the number of
   * bytes written. This is faster than `render` for texts above 128 KB. The first call encodes the text of
   * the kernel, and later calls reuse it.
   *
   * @throws PtxInjectError as `render`; INSUFFICIENT_BUFFER if the text does not fit, in which case nothing
   * has been written unless the text contains non-ASCII characters.
   */
  renderInto(stubs: Stubs, bytes: Uint8Array, offset = 0, options?: RenderOptions): number {
    return this.#render().into(stubs, bytes, offset, options);
  }

  /**
   * The kernel with these stubs, as plain, frozen data that can be cloned, written as JSON and sent to other
   * threads. Compilers, linkers and devices accept it in place of the rendered text; their errors then name
   * the injection, site and stub line.
   *
   * @throws PtxInjectError as `render`
   */
  fill(stubs: Stubs, options?: RenderOptions): FilledKernel {
    return this.#render().fill(stubs, options);
  }

  /**
   * Finds probable mistakes in stubs that `render` accepts, in the order of the injections. The PTX compiler
   * may accept these stubs too, but the kernel then probably does something that you did not intend.
   *
   * @param stubs by injection name, or a filled kernel of this text
   * @throws PtxInjectError as `render`; INVALID_ARGUMENT for a filled kernel of another text
   */
  warnings(stubs: Stubs | FilledKernel, options?: RenderOptions): readonly StubWarning[] {
    return this.#render().warnings(stubs, options);
  }

  /**
   * The text with its sites of 0.x written as sites of 1.1, which `parsePtx` reads without options. Without sites of
   * 0.x, it is `text`. Use it to rewrite the kernel around its sites.
   */
  markedText(): string {
    if (!Array.prototype.includes.call(this.#scanned.legacy, 1)) return this.text;
    const { segments, holes } = this.template();
    const markers = this.injections.map(({ name, operands }) => markerText(name, operands));
    return segments.map((segment, i) => segment + (markers[holes[i]!] ?? "")).join("");
  }

  /** The text around the sites as plain, frozen data, to be filled elsewhere. */
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
