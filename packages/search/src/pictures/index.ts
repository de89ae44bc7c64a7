// The entry `@mm-ptx/search/pictures`: pictures of archives and searches as SVG, and reports as HTML, for browsers and Node.
export type { PictureAxis } from "./axes.js";
export {
  type CreditPictureOptions,
  operatorCredit,
  type PictureRates,
} from "./credit.js";
export { type HistoryOptions, historyCurves, type SearchHistory } from "./curves.js";
export { cvtHeatmap, type PictureCentroids, type PictureRange } from "./cvt-map.js";
export type { ScaleKind } from "./drawing/scales.js";
export type { PictureTheme } from "./drawing/svg.js";
export { archiveHeatmap, type HeatmapOptions, type MapOptions } from "./heat-map.js";
export type { LineageEntry } from "./lineage.js";
export { type LineageOptions, lineageTree } from "./lineage-tree.js";
export type { PictureMark } from "./maps/marks.js";
export { eliteOutputs, type NamedOutputs, type OutputContent, type OutputOptions } from "./outputs.js";
export { type FrontMark, type FrontOptions, type PictureCost, paretoFront } from "./pareto.js";
export { archivePng, type PngOptions } from "./png.js";
export { type ReportContent, type ReportSection, reportHtml } from "./report.js";
export { type EliteTableOptions, eliteTable, type ReportTable } from "./report-table.js";
export type { ShownValue } from "./shown-value.js";
