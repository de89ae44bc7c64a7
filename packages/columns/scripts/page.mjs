// Uses every entry in a web page, for the check of the packed package: operations of all widths, with and without
// WebAssembly. Nothing here depends on Node.

import { evaluateBatch } from "@mm-ptx/columns";
import { readMnemonic, scalarOperation } from "@mm-ptx/columns/arithmetic";
import { machineOf } from "@mm-ptx/columns/machine";
import { parseStub } from "@mm-ptx/columns/stub";
import { CodeBuffer } from "@mm-ptx/types/code";

/** Stubs of x that compute 2 * x + 1. */
const STUBS = [
  "fma.rn.f32 %y, %x, 0f40000000, 0f3F800000;",
  `{
	.reg .u32 %a<3>;
	cvt.rzi.u32.f32 %a0, %x;
	shl.b32 %a1, %a0, 1;
	add.u32 %a2, %a1, 1;
	cvt.rn.f32.u32 %y, %a2;
	}`,
  `{
	.reg .f64 %d<2>;
	cvt.f64.f32 %d0, %x;
	fma.rn.f64 %d1, %d0, 0d4000000000000000, 0d3FF0000000000000;
	cvt.rn.f32.f64 %y, %d1;
	}`,
  `{
	.reg .b16 %h<4>;
	cvt.rn.f16.f32 %h0, %x;
	add.f16 %h1, %h0, %h0;
	cvt.rn.f16.f32 %h2, 0f3F800000;
	add.f16 %h3, %h1, %h2;
	cvt.f32.f16 %y, %h3;
	}`,
];
/** @type {readonly import("@mm-ptx/columns/stub").SiteOperand[]} */
const OPERANDS = [
  { name: "x", direction: "in", register: "x", registerType: "f32", type: "F32" },
  { name: "y", direction: "out", register: "y", registerType: "f32", type: "F32" },
];

/**
 * @param {boolean} compiles whether the page may compile WebAssembly
 * @returns {Promise<boolean>} whether all results are as expected
 */
export default async function works(compiles) {
  const backend = compiles ? "webassembly" : "javascript";
  if (machineOf(true).backend !== backend || scalarOperation(readMnemonic("add.f32")) === undefined)
    return false;
  const codes = new CodeBuffer();
  for (const stub of STUBS) parseStub(stub, OPERANDS, codes);
  const x = Float32Array.from({ length: 100 }, (_, row) => row);
  const target = x.map((value) => 2 * value + 1);
  const { status, loss } = await evaluateBatch(codes, [x], { loss: { kind: "mse", target } });
  return status.every((one) => one === 0) && loss?.every((one) => one === 0) === true;
}
