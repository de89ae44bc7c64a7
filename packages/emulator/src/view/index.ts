// The entry point `@mm-ptx/emulator/view`: readable views of what a launch did.
export { heatMap } from "./heat-map.js";
export { annotatedListing } from "./listing.js";
export { traceLine } from "./trace.js";
