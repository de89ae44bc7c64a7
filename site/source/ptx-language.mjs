// How blocks of PTX are coloured: a TextMate grammar with what a reader tells apart at a glance.

export const ptxLanguage = {
  name: "ptx",
  scopeName: "source.ptx",
  repository: {},
  patterns: [
    { name: "comment.line.double-slash.ptx", match: "//.*$" },
    { name: "comment.block.ptx", begin: "/\\*", end: "\\*/" },
    { name: "string.quoted.double.ptx", begin: '"', end: '"' },
    { name: "variable.parameter.ptx", match: "%[\\w$]+" },
    {
      name: "keyword.control.directive.ptx",
      match:
        "(?<![\\w.])\\.(?:version|target|address_size|visible|extern|weak|entry|func|param|reg|shared|global|const|local|align|maxntid|minnctapersm|pragma|file|loc)\\b",
    },
    { name: "storage.type.ptx", match: "\\.(?:pred|[bfsu](?:8|16|32|64|128)|f16x2|bf16x2?|tf32|v[248])\\b" },
    { name: "constant.numeric.ptx", match: "\\b(?:0[fFdD][0-9a-fA-F]+|0x[0-9a-fA-F]+U?|\\d[\\d.]*U?)\\b" },
    { name: "entity.name.label.ptx", match: "^\\s*[$\\w]+(?=:)" },
    { name: "entity.name.function.ptx", match: "(?<![\\w.%$])[a-z][a-z0-9]*(?:\\.[a-z][\\w:]*)*(?=\\s)" },
  ],
};
