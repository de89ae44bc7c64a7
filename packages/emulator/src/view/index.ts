// The entry point `@mm-ptx/emulator/view`: readable views of what a launch did.
export { hasSourceLines, sourceFrames } from "../source/frames.js";
export { frameWords } from "../source/words.js";
export { heatMap } from "./heat-map.js";
export { annotatedListing } from "./listing.js";
export { traceLine } from "./trace.js";
