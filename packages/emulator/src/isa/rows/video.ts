// Arithmetic on the bytes and halves of words (PTX ISA, SIMD Video Instructions). There are no masks and selectors:
// each lane works on its own bytes.

const ARITHMETIC = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"];
const TYPES = "type = u32 s32 ; atype = u32 s32 ; btype = u32 s32";

const rows = (lanes: 2 | 4): string[] => [
  ...ARITHMETIC.flatMap((name) => [
    `${name}${lanes}.type.atype.btype{.sat} d, a:atype%, b:btype%, c% ; repeatable ; ${TYPES}`,
    `${name}${lanes}.type.atype.btype.add d, a:atype%, b:btype%, c% ; repeatable ; ${TYPES}`,
  ]),
  `vset${lanes}.atype.btype.cmp{.add} d:u32, a:atype%, b:btype%, c:u32% ; repeatable ; atype = u32 s32 ; btype = u32 s32 ; cmp = eq ne lt le gt ge`,
];

export const VIDEO = `${[...rows(2), ...rows(4)].join("\n")}\n`;
