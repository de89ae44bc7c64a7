// Every operation of a session at least once, each with valid arguments.

import type { Reply } from "../../../src/driver/addon.js";
import type { Slot } from "../../../src/driver/command.js";
import type { RawSession } from "./session.js";

/** Two kernels and a variable. */
export const PTX = `.version 8.0
.target sm_90
.address_size 64
.visible .global .align 8 .b8 table[64];
.visible .entry fill(.param .u64 out, .param .u32 n) { ret; }
.visible .entry nothing() { ret; }
`;

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const CAPTURE_RELAXED = 2;

/** An operation that was requested. */
export interface Step {
  readonly operation: string;
  readonly reply: Reply;
}

/** Takes the tour; steps whose arguments are unavailable (undefined slots) are skipped. */
export function takeTour(session: RawSession): Step[] {
  const steps: Step[] = [];
  const ask = (
    operation: string,
    slots: readonly (Slot | undefined)[] = [],
    payload?: Uint8Array<ArrayBuffer>,
  ): readonly bigint[] => {
    if (slots.includes(undefined)) return [];
    const reply = session.call(operation, slots as Slot[], payload);
    steps.push({ operation, reply });
    return reply.status === 0 ? reply.values : [];
  };
  const succeeded = (operation: string): boolean =>
    steps.every((step) => step.operation !== operation || step.reply.status === 0);

  ask("cuInit");
  if (!succeeded("cuInit")) return steps;
  ask("cuDriverGetVersion");
  ask("cuDeviceGetCount");
  ask("cuDeviceGet", [0]);
  const [device, context] = ask("open", [0]);
  if (context === undefined) return steps;
  ask("cuDeviceGetName", [device]);
  ask("cuDeviceGetUuid", [device]);
  ask("cuDeviceTotalMem", [device]);
  ask("cuDeviceGetAttribute", [75, device]);
  ask("cuDeviceCanAccessPeer", [device, 1]);
  ask("cuCtxGetStreamPriorityRange");
  ask("cuModuleGetLoadingMode");
  ask("cuMemGetInfo");

  const [stream] = ask("cuStreamCreateWithPriority", [1, 0]);
  const [event] = ask("cuEventCreate", [0]);
  const [later] = ask("cuEventCreate", [0]);
  const [memory] = ask("cuMemAlloc", [256]);
  const [other] = ask("cuMemAllocAsync", [256, stream]);
  const [pool] = ask("cuMemPoolCreate", [0]);
  const [pooled] = ask("cuMemAllocFromPoolAsync", [256, pool, stream]);
  ask("cuMemPoolSetAttribute", [pool, 4, 1 << 20]);
  ask("cuMemPoolGetAttribute", [pool, 4]);
  ask("cuMemPoolTrimTo", [pool, 0]);
  ask("cuDeviceGetDefaultMemPool", [device]);
  const [host] = ask("cuMemHostAlloc", [256, 0]);

  ask("cuEventRecord", [event, stream]);
  ask("copyIn", [memory, stream], new Uint8Array(256).fill(1));
  ask("cuMemsetD8Async", [memory, 1, 16, stream]);
  ask("cuMemsetD16Async", [memory, 1, 16, stream]);
  ask("cuMemsetD32Async", [memory, 1, 16, stream]);
  ask("cuMemcpyDtoDAsync", [other, memory, 256, stream]);
  ask("cuMemcpyDtoHAsync", [host, other, 256, stream]);
  ask("cuMemcpyHtoDAsync", [pooled, host, 256, stream]);
  ask("copyOut", [memory, 256, stream]);
  ask("cuEventRecord", [later, stream]);
  ask("cuStreamWaitEvent", [stream, later, 0]);
  ask("notify", [stream]);
  ask("cuEventSynchronize", [later]);
  ask("cuEventQuery", [later]);
  if (stream !== undefined && succeeded("cuEventRecord")) ask("cuEventElapsedTime", [event, later]);
  ask("cuStreamSynchronize", [stream]);
  ask("cuStreamQuery", [stream]);

  const [module] = ask("load", [true, 32, 4, true], bytes(PTX));
  const [count] = ask("cuModuleGetFunctionCount", [module]);
  ask("cuModuleEnumerateFunctions", [count, module]);
  const [kernel] = ask("cuModuleGetFunction", [module], bytes("fill"));
  ask("cuModuleGetGlobal", [module], bytes("table"));
  ask("cuFuncGetName", [kernel]);
  ask("cuFuncGetAttribute", [0, kernel]);
  ask("cuFuncSetAttribute", [kernel, 8, 65536]);
  ask("cuFuncGetParamInfo", [kernel, 1]);
  ask("cuOccupancyMaxActiveBlocksPerMultiprocessor", [kernel, 128, 0]);
  ask("cuOccupancyMaxPotentialBlockSize", [kernel, 0, 0]);
  const launch = (flags: number, cluster: number): void => {
    if (memory === undefined) return;
    const parameters = new Uint8Array(12);
    new DataView(parameters.buffer).setBigUint64(0, memory, true);
    const shape = [2, 1, 1, 64, 1, 1, 0, stream, flags, cluster, cluster, cluster];
    ask("launch", [kernel, ...shape], parameters);
  };
  launch(0, 0);
  launch(1, 1);

  ask("cuStreamBeginCapture", [stream, CAPTURE_RELAXED]);
  let graph: bigint | undefined;
  if (succeeded("cuStreamBeginCapture")) {
    ask("cuStreamIsCapturing", [stream]);
    launch(0, 0);
    [graph] = ask("cuStreamEndCapture", [stream]);
    // A driver without that function leaves the stream unchanged.
    if (graph === undefined) return steps;
  }
  const [graphExec] = ask("cuGraphInstantiate", [graph, 0]);
  ask("cuGraphLaunch", [graphExec, stream]);
  ask("cuStreamSynchronize", [stream]);
  ask("cuCtxSynchronize");
  ask("allocations");

  ask("cuGraphExecDestroy", [graphExec]);
  ask("cuGraphDestroy", [graph]);
  ask("cuModuleUnload", [module]);
  ask("cuMemFreeHost", [host]);
  ask("cuMemFreeAsync", [pooled, stream]);
  ask("cuMemFreeAsync", [other, stream]);
  ask("cuStreamSynchronize", [stream]);
  ask("cuMemPoolDestroy", [pool]);
  ask("cuMemFree", [memory]);
  ask("cuEventDestroy", [event]);
  ask("cuEventDestroy", [later]);
  ask("cuStreamDestroy", [stream]);
  return steps;
}

/** Operations that need two devices, and the last one. */
export const NOT_ON_TOUR = ["close", "cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess", "cuMemcpyPeerAsync"];
