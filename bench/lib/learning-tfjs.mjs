// What TensorFlow.js takes for the steps of perceptrons in learning.mjs, with its WebAssembly backend on one thread; prints JSON.
//   node learning-tfjs.mjs FOLDER      the folder in which the libraries are installed

import { createRequire } from "node:module";
import { join } from "node:path";
import { data, time } from "./learning.mjs";

const folder = process.argv[2];
const load = createRequire(join(folder, "package.json"));
// It says that tfjs-node would be faster, which needs native code.
console.warn = () => {};
const tf = load("@tensorflow/tfjs");
const wasm = load("@tensorflow/tfjs-backend-wasm");
wasm.setThreadsCount(1);
wasm.setWasmPaths(join(folder, "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));
if (!(await tf.setBackend("wasm")))
  throw new Error("expected the WebAssembly backend of TensorFlow.js to start");

const WIDTHS = [32, 64, 64, 1];
const steps = {};
for (const size of [32, 256]) {
  const { rows, labels } = data(size, WIDTHS[0], 3);
  const [batch, targets] = [tf.tensor2d(rows, [size, WIDTHS[0]]), tf.tensor2d(labels, [size, 1])];
  const layers = WIDTHS.slice(1).map((width, index) => ({
    weights: tf.variable(tf.randomNormal([WIDTHS[index], width], 0, WIDTHS[index] ** -0.5)),
    biases: tf.variable(tf.zeros([width])),
  }));
  const adam = tf.train.adam(0.003);
  const loss = () =>
    tf.losses.meanSquaredError(
      targets,
      layers.reduce((values, { weights, biases }, index) => {
        const sums = tf.add(tf.matMul(values, weights), biases);
        return index < layers.length - 1 ? tf.tanh(sums) : sums;
      }, batch),
    );
  steps[`mlp${size}`] = 1000 * time(() => adam.minimize(() => tf.tidy(loss)), 10);
}
console.log(JSON.stringify(steps));
