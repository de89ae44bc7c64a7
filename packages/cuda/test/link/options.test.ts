// The inputs of a link that are refused before nvJitLink sees them.

import { filledKernel } from "@mm-ptx/types/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { resolveInputs, resolveLinkOptions } from "../../src/link/options.js";

const segments = [".version 8.0\n.target sm_75\n.entry k() {\n", "\n\tret;\n}\n"];
const lines = [
  { kernelLine: 1, lines: 3, head: 0, tail: 0 },
  { kernelLine: 4, lines: 3, head: 0, tail: 0 },
];
const filledWith = (func: string) => filledKernel({ names: ["func"], segments, holes: [0], lines }, { func });

test("a character that PTX cannot have is located in the stub of a filled kernel", () => {
  const filled = filledWith("\t// one\n\t// zw\u00f6lf");
  const place = "found `\u00f6` (U+00F6) at injection `func`, site 1, stub line 2";
  for (const input of [filled, { ptx: filled }, { ptx: structuredClone(filled) }]) {
    expect(() => resolveInputs([input])).toThrow(place);
  }
  expect(() => resolveInputs([{ ptx: "\n\u00f6" }])).toThrow("found `\u00f6` (U+00F6) at line 2");
  expect(() => resolveInputs([filledWith("\tnop\0;")])).toThrow(
    "NUL byte at injection `func`, site 1, stub line 1",
  );
});

test("PTX loses the NULs that end the string of a C program", () => {
  const bytes = new Uint8Array([...Buffer.from("ret;"), 0]);
  const inputs = resolveInputs([{ ptx: "ret;\0\0" }, { ptx: bytes }, { ltoir: bytes }]);
  expect(inputs.map(({ data }) => data)).toEqual(["ret;", bytes.subarray(0, 4), bytes]);
  expect(() => resolveInputs([{ ptx: "\0" }])).toThrow("input 1: expected non-empty `ptx`, found");
});

test("the architecture of this machine's GPU needs a driver", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("MM_PTX_DRIVER", "libnosuchdriver.so");
  expect(() => resolveLinkOptions({ arch: "native" })).toThrow(
    expect.objectContaining({ name: "LinkError", code: "UNAVAILABLE", what: "driver" }),
  );
});
