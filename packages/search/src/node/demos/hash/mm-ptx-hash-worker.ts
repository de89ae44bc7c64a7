// The entry module of a thread that counts flipped bits.
import { serveCaller } from "@mm-ptx/types/internal/workers";
import { counting } from "./answer.js";

serveCaller(counting());
