// What the report says about the machine: its GPU, or why there is none, its processor and system.

import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { Device, driverVersion } from "../../packages/cuda/dist/index.js";

/**
 * @typedef {object} FoundGpu
 * @property {{ name: string, arch: string, memoryBytes: number, multiprocessors: number }} [device]
 * @property {string} [driver] the CUDA version that it has
 * @property {string} [why] there is none, in a sentence
 */

/** @returns {FoundGpu} @throws CudaError for anything but that there is none */
export function findGpu() {
  if (Device.count() === 0) return { why: noDevice() };
  const [first] = Device.list();
  return {
    device: {
      name: first.name,
      arch: first.arch,
      memoryBytes: first.totalMemory,
      multiprocessors: first.multiprocessors,
    },
    driver: driverVersion(),
  };
}

/** The words of the error that opening one gives. */
function noDevice() {
  try {
    Device.open(0).dispose();
    return "no device";
  } catch (error) {
    return `no device: ${String(error instanceof Error ? error.message : error).split("\n")[0]}`;
  }
}

/** Processor, memory, system. */
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
