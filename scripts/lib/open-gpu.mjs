// The device that `npm run compare-with-gpu` compares the emulator with, where no other module is named.

import { Device } from "../../packages/cuda/dist/index.js";

export const open = () => Device.open(0);
