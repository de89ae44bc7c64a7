// Textures and surfaces (PTX ISA, Texture Instructions; Surface Instructions), in the unified mode: a handle names a texture
// together with how it is sampled.

/** Geometries by their numbers of coordinates. The fourth coordinate of three dimensions is ignored. */
const GEOMETRIES = [
  ["1d", 1],
  ["2d a1d", 2],
  ["3d a2d", 4],
] as const;
/** Geometries by their numbers of gradients. */
const GRADIENTS = [
  ["1d", 1, 1],
  ["2d", 2, 2],
  ["a1d", 2, 1],
  ["a2d", 4, 2],
  ["3d cube acube", 4, 4],
] as const;
const TYPES = "dtype = u32 s32 f32";
const CLAMP = "clamp = trap clamp zero ; cop = ca cg cs cv wb wt ; dtype = b8 b16 b32 b64";

const fetches = (geometries: string, count: number, coordinates: string) => [
  `tex{.base}.geom.v4.dtype.ctype d*4:dtype{|p}, [t:u64, c*${count}:b32] ; reads procedure ; geom = ${geometries} ; ${TYPES} ; ctype = ${coordinates}`,
  `tex.level.geom.v4.dtype.ctype d*4:dtype{|p}, [t:u64, c*${count}:b32], lod:b32 ; reads procedure ; geom = ${geometries} ; ${TYPES} ; ctype = ${coordinates}`,
];

const rows = GEOMETRIES.flatMap(([names, count]) => {
  const geometry = `geom = ${names}`;
  return [
    ...fetches(names, count, "s32 f32"),
    ...["d:dtype~", "d*1:dtype~"].map(
      (result) =>
        `suld.b.geom{.cop}.dtype.clamp ${result}, [t:u64, c*${count}:b32] ; reads procedure ; ${geometry} ; ${CLAMP}`,
    ),
    `suld.b.geom{.cop}.vec.dtype.clamp d*vec:dtype~, [t:u64, c*${count}:b32] ; reads procedure ; ${geometry} ; ${CLAMP}`,
    ...["b:dtype~", "b*1:dtype~"].map(
      (source) =>
        `sust.b.geom{.cop}.dtype.clamp [t:u64, c*${count}:b32], ${source} ; reads writes procedure ; ${geometry} ; ${CLAMP}`,
    ),
    `sust.b.geom{.cop}.vec.dtype.clamp [t:u64, c*${count}:b32], b*vec:dtype~ ; reads writes procedure ; ${geometry} ; ${CLAMP}`,
  ];
});

const gradients = GRADIENTS.map(
  ([names, count, steps]) =>
    `tex.grad.geom.v4.dtype.ctype d*4:dtype{|p}, [t:u64, c*${count}:b32], x*${steps}:f32, y*${steps}:f32 ; reads procedure ; geom = ${names} ; ${TYPES} ; ctype = f32`,
);

export const TEXTURE = `
${[...rows, ...fetches("cube acube", 4, "f32"), ...gradients].join("\n")}
tld4.part.2d.v4.dtype.ctype d*4:dtype{|p}, [t:u64, c*2:b32] ; reads procedure ; part = r g b a ; ${TYPES} ; ctype = f32
txq.query.b32 d, [a] ; reads procedure ; query = width height depth array_size normalized_coords num_mipmap_levels num_samples
suq.query.b32 d, [a] ; reads procedure ; query = width height depth array_size
`;
