// The entry `@mm-ptx/emulator/view`: what a launch did, for people to see.
export { heatMap } from "./heat-map.js";
export { annotatedListing } from "./listing.js";
export { traceLine } from "./trace.js";
