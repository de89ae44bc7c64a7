// The entry module of a worker, in Node and in browsers.
import { serveCaller } from "@mm-ptx/types/internal/workers";
import { answerer } from "./serve.js";

serveCaller(answerer());
