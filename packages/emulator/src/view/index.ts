// The entry point `@mm-ptx/emulator/view`: readable views of the results of launches.
export { hasSourceLines, sourceFrames } from "../source/frames.js";
export { frameWords } from "../source/words.js";
export { findingsJson } from "./findings/json.js";
export { findingsJunit } from "./findings/junit.js";
export type { ReportContext } from "./findings/places.js";
export { findingsSarif } from "./findings/sarif.js";
export { findingsText } from "./findings/text.js";
export { heatMap } from "./heat-map.js";
export { type CountedRun, lcov } from "./lcov.js";
export { annotatedListing } from "./listing.js";
export { traceLine } from "./trace.js";
