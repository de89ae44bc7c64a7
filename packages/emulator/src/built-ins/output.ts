// `vprintf` and `__assertfail`: what kernels print, and assertions that fail.
import { type BuiltIn, type BuiltInHost, textAt, viewOf } from "./built-in.js";
import { formatPrintf, type PrintValues } from "./format.js";

export const OUTPUT: Readonly<Record<string, BuiltIn>> = {
  vprintf(host, [format = 0n, packed = 0n]) {
    const values = new PackedValues(host, packed);
    host.launch.hooks.print(formatPrintf(textAt(host, format), values));
    return values.count;
  },
  __assertfail(host, [message = 0n, file = 0n, line = 0n, name = 0n]) {
    const place = `${textAt(host, file)}:${BigInt.asUintN(32, line)}`;
    throw host.trap(`assertion \`${textAt(host, message)}\` failed in ${textAt(host, name)} at ${place}`);
  },
};

/** Values as the compiler packs them in memory: each is aligned to its size. */
class PackedValues implements PrintValues {
  /** How many values have been read. */
  count = 0;
  readonly #host: BuiltInHost;
  #address: bigint;

  constructor(host: BuiltInHost, address: bigint) {
    this.#host = host;
    this.#address = address;
  }

  integer(bytes: 4 | 8): bigint {
    const size = BigInt(bytes);
    const address = ((this.#address + size - 1n) / size) * size;
    this.#address = address + size;
    this.count++;
    const offset = this.#host.offset(address, bytes, "load");
    const view = viewOf(this.#host);
    return bytes === 4 ? BigInt(view.getUint32(offset, true)) : view.getBigUint64(offset, true);
  }

  double(): number {
    const bits = new BigUint64Array([this.integer(8)]);
    return new Float64Array(bits.buffer)[0]!;
  }

  text(): string {
    return textAt(this.#host, this.integer(8));
  }
}
