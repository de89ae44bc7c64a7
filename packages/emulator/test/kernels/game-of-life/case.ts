import { kernelCase, numbers } from "../../support/kernel-case.js";

const [width, height] = [37, 23];
const next = numbers(21);
const start = Uint8Array.from({ length: width * height }, () => next(2));

function step(now: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(now, (alive, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    let sum = -alive;
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1])
        sum += now[((y + dy + height) % height) * width + ((x + dx + width) % width)]!;
    }
    return Number(sum === 3 || (sum === 2 && alive === 1));
  });
}

const launch = (from: string, to: string) => ({
  kernel: "step",
  grid: [3, 3],
  block: [16, 8],
  args: [{ buffer: from }, { buffer: to }, { s32: width }, { s32: height }],
});

export default kernelCase({
  buffers: { a: start, b: new Uint8Array(width * height) },
  launches: [launch("a", "b"), launch("b", "a"), launch("a", "b")],
  expected: { b: step(step(step(start))) },
});
