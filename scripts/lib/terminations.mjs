// Ends worker threads while they use the addon, each at a random moment: `node terminations.mjs COUNT [SEED]`. Devices are
// those of the fake driver that `MM_PTX_DRIVER` names; with `--compile`, threads also compile. A defect in the addon ends
// the process, and a thread that does not end is reported by a watchdog.

import assert from "node:assert/strict";
import { parentPort, Worker, workerData } from "node:worker_threads";

/** After this time a thread counts as one that never ends. */
const WATCHDOG_MS = 60_000;
/** Threads that live at the same time. */
const AT_ONCE = 3;
/** The longest time in milliseconds from the moment that a thread is busy to its end. */
const LATEST = 30;

const PTX = `.version 7.5
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	st.global.u64 [%rd1], %rd1;
	ret;
}
`;

const later = () => new Promise((resolve) => setImmediate(resolve));

/** @param {any} cuda @param {boolean} isolate */
function opened({ CudaDevice }, isolate) {
  const device = CudaDevice.open(0, { isolate });
  const kernel = device.load(PTX, { jit: true }).kernel("k");
  return { device, kernel, buffer: device.allocate(1 << 16) };
}

/** @param {any} cuda @param {string} backend @param {object} [options] */
const compilerOf = ({ PtxCompiler }, backend, options = {}) =>
  new PtxCompiler({ arch: "sm_75", backend, workers: 2, cache: false, ...options });

/** What a thread does until it is ended; each function begins one round after the other. */
const DEVICE_WORK = /** @type {Record<string, (cuda: any) => () => unknown>} */ ({
  "asynchronous reads": (cuda) => {
    const { buffer } = opened(cuda, false);
    return () => Promise.all(Array.from({ length: 8 }, () => buffer.read()));
  },
  "synchronous reads": (cuda) => {
    const { buffer } = opened(cuda, false);
    return () => buffer.readSync();
  },
  "reads of an isolated device": (cuda) => {
    const { buffer } = opened(cuda, true);
    return () => Promise.all([buffer.read(), buffer.readSync()]);
  },
  launches: (cuda) => {
    const { device, kernel, buffer } = opened(cuda, false);
    return () => {
      device.stream.launch(kernel, { grid: 1, block: 32 }, [buffer]);
      return device.synchronize();
    };
  },
  "pinned host memory": (cuda) => {
    const { device, buffer } = opened(cuda, false);
    return async () => {
      const kept = device.allocateHost(1 << 12);
      const host = device.allocateHost(1 << 12);
      await buffer.copyTo(new Uint8Array(host.buffer));
      new Uint8Array(kept.buffer).fill(1);
      host.dispose();
    };
  },
  "disposal of devices": (cuda) => () => {
    const { device, buffer } = opened(cuda, false);
    buffer.read().catch(() => {});
    device.allocateHost(64);
    return device[Symbol.asyncDispose]();
  },
  "failing calls": (cuda) => {
    const { device } = opened(cuda, false);
    return () => assert.throws(() => device.load("no PTX", { jit: true }));
  },
});

const COMPILE_WORK = /** @type {Record<string, (cuda: any) => () => unknown>} */ ({
  "compiles in this process": (cuda) => {
    const compiler = compilerOf(cuda, "in-process");
    return () => Promise.all(Array.from({ length: 8 }, () => compiler.compile(PTX)));
  },
  compileSync: (cuda) => {
    const compiler = compilerOf(cuda, "in-process");
    return () => compiler.compileSync(PTX);
  },
  "compiles in worker processes": (cuda) => {
    const compiler = compilerOf(cuda, "isolated");
    return () => Promise.all([compiler.compile(PTX), compiler.compileSync(PTX)]);
  },
  "disposal of compilers": (cuda) => () => {
    const compiler = compilerOf(cuda, "in-process");
    compiler.compileAll([PTX, PTX, PTX]).catch(() => {});
    compiler.dispose();
  },
});

const WORK = { ...DEVICE_WORK, ...COMPILE_WORK };

async function work() {
  const begin = WORK[/** @type {string} */ (workerData)];
  assert(begin !== undefined);
  const round = begin(await import("../../packages/cuda/dist/index.js"));
  await round();
  parentPort?.postMessage("busy");
  for (;;) {
    await round();
    await later();
  }
}

/** @param {number} count @param {number} seed @param {boolean} compile */
async function terminate(count, seed, compile) {
  const names = Object.keys(compile ? WORK : DEVICE_WORK);
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let begun = 0;
  const next = async () => {
    while (begun < count) {
      const name = /** @type {string} */ (names[begun++ % names.length]);
      // Some threads are ended while they still load the package or open their device.
      await endOne(name, random() < 0.2 ? random() * 200 : undefined, random() * LATEST);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  console.log(`${count} threads ended`);
  // The last threads end with the process.
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => start(names[Math.floor(random() * names.length)] ?? "").busy),
  );
  setTimeout(() => process.exit(0), random() * LATEST);
}

/** @param {string} name */
function start(name) {
  const worker = new Worker(new URL(import.meta.url), { workerData: name });
  const failed = new Promise((_, reject) => worker.once("error", reject));
  const busy = new Promise((resolve) => worker.once("message", resolve));
  return { worker, failed, busy };
}

/**
 * @param {string} name
 * @param {number | undefined} after the time from the start; undefined: once it is busy
 * @param {number} delay
 */
async function endOne(name, after, delay) {
  const { worker, failed, busy } = start(name);
  const watchdog = setTimeout(() => {
    console.error(`a thread with ${name} does not end`);
    process.kill(process.pid, "SIGKILL");
  }, WATCHDOG_MS);
  const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await Promise.race([after === undefined ? busy.then(() => pause(delay)) : pause(after), failed]);
  await worker.terminate();
  clearTimeout(watchdog);
}

if (parentPort !== null) await work();
else {
  const [count = "11", seed = `${Date.now() % 100_000}`] = process.argv
    .slice(2)
    .filter((word) => /^\d+$/.test(word));
  console.log(`seed ${seed}`);
  await terminate(Number(count), Number(seed), process.argv.includes("--compile"));
}
