// Both ends of worker threads, which the packages of mm-ptx share among themselves. An entry of its own, because only calls that use
// threads load it. Nothing here is part of the public interface: any release may change or remove it.
export { settleAll, WorkerHandle, type WorkerRules } from "./worker-handle.js";
export { serveCaller } from "./worker-port.js";
