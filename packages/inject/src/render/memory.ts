// The memory of the WebAssembly loops. All templates of a thread share one memory, because renderings never
// overlap. From the bottom, it contains the image of the template that was rendered last, a table of stubs,
// their texts, and the output.
import { bytesOfHex, compilesWebAssembly } from "@mm-ptx/types/internal";
import { MODULE } from "../wasm/module.js";
import { IMAGE_ADDRESS, type Image, SLACK } from "./image.js";

const PAGE_BYTES = 65536;
/** The size limit, because this memory is never freed. Larger renderings do without WebAssembly. */
const MOST_BYTES = 64 * 2 ** 20;

/** The words of a row in the table of stubs: address and length. */
const STUB_WORDS = 2;

/** Texts are encoded in chunks well below 128 KB, the size from which V8 maps new pages for a string. */
export const CHUNK = 32_768;

/** The exports of assembly/index.ts. Addresses count bytes. */
interface Functions {
  render(pieces: number, holes: number, stubs: number, out: number): number;
  findOdd(stubs: number, from: number, count: number): number;
}

const encoder = new TextEncoder();

export class RenderMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #functions: Functions;
  #bytes = new Uint8Array(this.#memory.buffer);
  #words = new Uint32Array(this.#memory.buffer);
  #image: Image | undefined;
  /** The address of the table of stubs, the number of stubs, and the address after their texts. */
  #stubs = IMAGE_ADDRESS;
  #count = 0;
  #end = 0;

  constructor() {
    const module = new WebAssembly.Module(bytesOfHex(MODULE));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#functions = exports as unknown as Functions;
  }

  /** Replaces the image. @returns whether there was enough room */
  useImage(image: Image): boolean {
    if (this.#image === image) return true;
    const end = IMAGE_ADDRESS + image.bytes.length;
    if (!this.#reserve(end)) return false;
    this.#bytes.set(image.bytes, IMAGE_ADDRESS);
    this.#image = image;
    this.#stubs = aligned(end);
    return true;
  }

  /** Replaces the stubs. @returns whether there was enough room and all stubs are ASCII */
  useStubs(stubs: readonly string[]): boolean {
    const count = stubs.length;
    let units = 0;
    for (let i = 0; i < count; i++) units += stubs[i]!.length;
    let at = aligned(this.#stubs + 4 * STUB_WORDS * count);
    this.#count = count;
    this.#end = at + units;
    if (!this.#reserve(this.#end + SLACK)) return false;

    const words = this.#words;
    let row = this.#stubs >> 2;
    let encoded = at;
    let chunk = "";
    for (let i = 0; i < count; i++) {
      const stub = stubs[i]!;
      words[row++] = at;
      words[row++] = stub.length;
      at += stub.length;
      chunk += stub;
      if (chunk.length < CHUNK && i + 1 < count) continue;
      // Text that is not ASCII needs more bytes than it has units, so it is not read completely.
      const { read } = encoder.encodeInto(chunk, this.#bytes.subarray(encoded, at));
      if (read < chunk.length) return false;
      encoded = at;
      chunk = "";
    }
    return true;
  }

  /** The first stub from `from` on that needs a full check; the number of stubs if there is none. */
  findOdd(from: number): number {
    return this.#functions.findOdd(this.#stubs, from, this.#count);
  }

  /** The number of bytes that `render` returns. */
  renderedSize(): number {
    const { textBytes, uses } = this.#image!;
    const words = this.#words;
    let size = textBytes;
    let length = (this.#stubs >> 2) + 1;
    for (let i = 0; i < uses.length; i++, length += STUB_WORDS) size += uses[i]! * words[length]!;
    return size;
  }

  /**
   * The rendered text, `size` bytes that are valid until the memory is used again; `undefined` if there is no
   * room.
   */
  render(size: number): Uint8Array | undefined {
    const out = aligned(this.#end + SLACK);
    if (!this.#reserve(out + size + SLACK)) return undefined;
    this.#functions.render(IMAGE_ADDRESS, this.#image!.holes, this.#stubs, out);
    return this.#bytes.subarray(out, out + size);
  }

  /** Grows the memory to at least `bytes`. @returns whether that was possible */
  #reserve(bytes: number): boolean {
    if (bytes <= this.#bytes.length) return true;
    if (bytes > MOST_BYTES) return false;
    try {
      this.#memory.grow(Math.ceil((bytes - this.#bytes.length) / PAGE_BYTES));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new Uint32Array(this.#memory.buffer);
    return true;
  }
}

const aligned = (address: number): number => Math.ceil(address / 16) * 16;

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

let shared: RenderMemory | null | undefined;

/** The memory of this thread; `undefined` if WebAssembly is not available or not allowed. */
export function renderMemory(): RenderMemory | undefined {
  if (shared === undefined) {
    try {
      shared = LITTLE_ENDIAN && compilesWebAssembly() ? new RenderMemory() : null;
    } catch (error) {
      // No 128-bit vectors, or no memory.
      if (!(error instanceof WebAssembly.CompileError) && !(error instanceof RangeError)) throw error;
      shared = null;
    }
  }
  return shared ?? undefined;
}
