// The kernels of the examples, with the expected results computed here.
import { readFileSync } from "node:fs";
import { bytes, s32, u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { parsePtx } from "../../../inject/dist/index.js";
import { CudaCompiler, CudaDevice, Linker } from "../../src/index.js";
import { JITLINK, NVCC, NVRTC } from "../support/cuda.js";
import { onDevices, onGpu } from "./support/places.js";

const source = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");

/** Replaces a site with an instruction on its operands by name. */
function injected(ptx: string, site: string, instruction: string): string {
  const annotated = parsePtx(ptx);
  const text = instruction.replace(
    /\$(\w+)/g,
    (_, name: string) => `%${annotated.injection(site).operand(name).register}`,
  );
  return annotated.render({ [site]: `\t${text}` });
}

onDevices("examples", ({ open }) => {
  it("the quickstart: injects arithmetic", async () => {
    using device = open();
    const ptx = injected(source("apps/quickstart/kernel.ptx"), "func", "fma.rn.f32 $z, $x, $y, $w;");
    const values = [1, 2, 3].map((first) => Float32Array.from({ length: 100 }, (_, i) => first * i));
    const arrays = values.map(() => device.allocateFloat32(100));
    for (const [i, array] of arrays.entries()) await array.copyFrom(values[i]!);
    using out = device.allocateFloat32(100);
    const kernel = device.load(ptx).kernel("evaluate");
    device.stream.launch(kernel, { grid: 4, block: 32 }, [...arrays, out, u32(100)]);
    expect(await out.read()).toEqual(Float32Array.from({ length: 100 }, (_, i) => 2 * i * i + 3 * i));
  });

  it("03-running-kernels: computes a picture and its histogram", async () => {
    using device = open();
    const [size, most] = [40, 60];
    const [left, top, step] = [-2, 1.9, 0.095].map(Math.fround) as [number, number, number];
    const module = device.load(source("examples/03-running-kernels/kernel.ptx"));
    using steps = device.allocateUint32(size * size);
    using counts = device.allocateUint32(most + 1);
    await counts.fill(0);
    const view = bytes(Float32Array.of(left, top, step));
    const { stream } = device;
    stream.launch(module.kernel("escape"), { grid: [3, 5], block: [16, 8] }, [
      steps,
      u32(size),
      u32(size),
      view,
      u32(most),
    ]);
    stream.launch(module.kernel("histogram"), { grid: 7, block: 256 }, [steps, u32(size * size), counts]);
    const expected = Uint32Array.from({ length: size * size }, (_, i) => {
      const real = f(left + f((i % size) * step));
      const imaginary = f(top - f(2 * Math.floor(i / size) * step));
      return stepsOf(real, imaginary, most);
    });
    expect(await steps.read()).toEqual(expected);
    const histogram = new Uint32Array(most + 1);
    for (const value of expected) histogram[value]!++;
    expect(await counts.read()).toEqual(histogram);
  });
});

const f = Math.fround;

/** Counts like the kernel, with the same roundings. */
function stepsOf(real: number, imaginary: number, most: number): number {
  let [x, y, step] = [0, 0, 0];
  while (step < most && f(f(x * x) + f(y * y)) <= 4) {
    [x, y] = [f(f(f(x * x) - f(y * y)) + real), f(f(f(2 * x) * y) + imaginary)];
    step++;
  }
  return step;
}

onGpu("examples", () => {
  it("02-linking: links functions", async ({ skip }) => {
    skip(!JITLINK || !(NVRTC || NVCC), "no library");
    using device = CudaDevice.open(0);
    const { arch } = device;
    await using compiler = new CudaCompiler();
    await using linker = new Linker();
    const kernel = await compiler.compile(source("examples/02-linking/kernel.cu"), {
      arch,
      output: "cubin",
      relocatable: true,
    });
    const functions = await Promise.all(
      Object.entries({ first: "mul.f32 $y, $x, $x;", second: "add.f32 $y, $x, $x;" }).map(
        async ([name, body]) => {
          const options = { arch, relocatable: true, defines: { NAME: name } };
          const { ptx } = await compiler.compile(source("examples/02-linking/function.cu"), options);
          return { ptx: injected(ptx, "body", body), name };
        },
      ),
    );
    const { cubin } = await linker.link([{ cubin: kernel.cubin, name: "kernel" }, ...functions], { arch });
    using values = device.allocateFloat32(50);
    await values.copyFrom(Float32Array.from({ length: 50 }, (_, i) => i));
    device.stream.launch(device.load(cubin).kernel("apply"), { grid: 1, block: 64 }, [values, s32(50)]);
    expect(await values.read()).toEqual(Float32Array.from({ length: 50 }, (_, i) => 2 * i * i));
  });
});
