export { WorkerPool } from "./pool.js";
