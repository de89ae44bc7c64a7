// The entry `@mm-ptx/search/pictures`: pictures of archives and searches as SVG, and reports as HTML, for browsers and Node.
export type { PictureAxis } from "./axes.js";
export { cvtHeatmap, type PictureCentroids, type PictureRange } from "./cvt-map.js";
export type { PictureTheme } from "./drawing/svg.js";
export { archiveHeatmap, type HeatmapOptions, type MapOptions } from "./heat-map.js";
export type { PictureMark } from "./maps/marks.js";
export type { ShownValue } from "./shown-value.js";
