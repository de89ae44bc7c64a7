// What most web pages need of the package: losses of f32 programs. The check of the packed package measures what this
// page loads. Nothing here depends on Node.

import { evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer, codeType, encodeOperation, inputOperation } from "@mm-ptx/types/code";

const ROWS = 100;
const [F32, MAGIC] = [codeType("f32"), 0x01434c53];

/** @returns {Promise<boolean>} whether the losses of x * x + x are as expected */
export default async function works() {
  const codes = new CodeBuffer();
  const items = [
    ...[inputOperation(F32), 0],
    ...[encodeOperation("mul.f32", 2), 0, 0],
    ...[encodeOperation("add.f32", 2), 1, 0],
  ];
  const words = [MAGIC, 3, 1 | (1 << 16), ...items, 2 | (F32 << 24)];
  codes.reserve(words.length).set(words);
  codes.append(words.length);
  const x = Float32Array.from({ length: ROWS }, (_, row) => row);
  const target = x.map((value) => value * value + value - 2);
  const { loss } = await evaluateBatch(codes, [x], { loss: { kind: "mse", target } });
  return loss?.[0] === 4;
}
