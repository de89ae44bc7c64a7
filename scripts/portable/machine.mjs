// Collects what the report says about the machine: its GPU or why none is found, its processor and its
// system.

import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { CudaDevice, capabilities } from "../../packages/cuda/dist/index.js";

/**
 * @typedef {object} FoundGpu
 * @property {{ name: string, arch: string, memoryBytes: number, multiprocessors: number }} [device]
 * @property {string} [driver] the CUDA version that the driver supports
 * @property {string} [why] a sentence that says why there is no GPU
 */

/** @returns {FoundGpu} @throws CudaError for any problem other than a missing GPU */
export function findGpu() {
  const count = CudaDevice.count();
  const { version, devices, problem } = capabilities().driver;
  const [first] = devices;
  if (count === 0 || first === undefined) return { why: `no device: ${inOneLine(String(problem))}` };
  const { totalMemoryBytes: memoryBytes, multiprocessors } = first.properties;
  return { device: { name: first.name, arch: first.arch, memoryBytes, multiprocessors }, driver: version };
}

/** @param {string} message which may list attempts on separate lines */
function inOneLine(message) {
  const [first = "", ...rest] = message.split("\n").map((line) => line.trim().replace(/^- /, ""));
  return `${first} ${rest.join("; ")}`.trim();
}

/** The processor, memory and system. */
export function hostOf() {
  const [cpu] = cpus();
  return {
    processor: cpu?.model.trim() ?? "",
    threads: cpus().length,
    memoryBytes: totalmem(),
    system: systemName(),
    node: process.versions.node,
  };
}

function systemName() {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? release();
  } catch {
    return release();
  }
}
