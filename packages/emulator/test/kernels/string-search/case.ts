import { kernelCase } from "../../support/kernel-case.js";

const encode = (text: string) => Uint8Array.from(new TextEncoder().encode(text));
const text = "a kernel launches, the kernels run, kern and kernel ".repeat(9);
const bits = new Uint32Array(Math.ceil(text.length / 32));
for (let at = text.indexOf("kernel"); at !== -1; at = text.indexOf("kernel", at + 1)) {
  bits[at >> 5]! |= 1 << (at & 31);
}

export default kernelCase({
  buffers: {
    text: encode(text),
    word: encode("kernel"),
    first: Int32Array.of(2 ** 31 - 1),
    bits: new Uint32Array(bits.length),
  },
  launches: [
    {
      kernel: "search",
      grid: 5,
      block: 128,
      args: [
        { buffer: "text" },
        { s32: text.length },
        { buffer: "word" },
        { s32: 6 },
        { buffer: "first" },
        { buffer: "bits" },
      ],
    },
  ],
  expected: { first: Int32Array.of(text.indexOf("kernel")), bits },
});
