// Small kernels for the tests, in PTX that every architecture accepts.

const HEAD = `.version 8.0
.target sm_75
.address_size 64
`;

/** Computes the index of the thread in the grid in %i, and exits threads from %n on. */
const INDEX = `  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %block, %threads, %thread;
  setp.ge.u32 %beyond, %i, %n;
  @%beyond bra DONE;
  cvt.u64.u32 %at, %i;
  shl.b64 %at, %at, 2;
`;
const INDEX_REGISTERS = `  .reg .pred %beyond;
  .reg .b32 %block, %threads, %thread, %i, %n;
  .reg .b64 %at;
`;

/** `y[i] = a * x[i] + y[i]` in f32, unfused; the results for whole numbers are exact. */
export const SAXPY = `${HEAD}.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
${INDEX_REGISTERS}  .reg .b64 %x, %y;
  .reg .f32 %a, %u, %v;
  ld.param.u64 %x, [x];
  ld.param.u64 %y, [y];
  ld.param.f32 %a, [a];
  ld.param.u32 %n, [n];
${INDEX}  add.u64 %x, %x, %at;
  add.u64 %y, %y, %at;
  ld.global.f32 %u, [%x];
  ld.global.f32 %v, [%y];
  fma.rn.f32 %v, %a, %u, %v;
  st.global.f32 [%y], %v;
DONE:
  ret;
}
`;

/** `data[i] = data[i] * factor + term` in u32: the result of several launches reveals their order. */
export const STEP = `${HEAD}.visible .entry step(.param .u64 data, .param .u32 factor, .param .u32 term, .param .u32 n) {
${INDEX_REGISTERS}  .reg .b64 %data;
  .reg .b32 %factor, %term, %value;
  ld.param.u64 %data, [data];
  ld.param.u32 %factor, [factor];
  ld.param.u32 %term, [term];
  ld.param.u32 %n, [n];
${INDEX}  add.u64 %data, %data, %at;
  ld.global.u32 %value, [%data];
  mad.lo.u32 %value, %value, %factor, %term;
  st.global.u32 [%data], %value;
DONE:
  ret;
}
`;

/** Writes each argument after `out` to the buffer `out`, 16 bytes apart. */
export function echo(types: readonly string[]): string {
  const params = types.map((type, i) => `.param .${type} p${i}`);
  const moves = types.map((type, i) => {
    const bits = Number(/\d+/.exec(type)![0]);
    // Registers have at least 16 bits.
    return `  .reg .b${Math.max(16, bits)} %v${i};
  ld.param.b${bits} %v${i}, [p${i}];
  st.global.b${bits} [%out+${16 * i}], %v${i};`;
  });
  return `${HEAD}.visible .entry echo(.param .u64 out, ${params.join(", ")}) {
  .reg .b64 %out;
  ld.param.u64 %out, [out];
${moves.join("\n")}
  ret;
}
`;
}

/** Copies a struct of 12 bytes that is passed by value. */
export const STRUCT = `${HEAD}.visible .entry keep(.param .u64 out, .param .align 4 .b8 given[12]) {
  .reg .b64 %out;
  .reg .b32 %w<3>;
  ld.param.u64 %out, [out];
  ld.param.b32 %w0, [given];
  ld.param.b32 %w1, [given+4];
  ld.param.b32 %w2, [given+8];
  st.global.b32 [%out], %w0;
  st.global.b32 [%out+4], %w1;
  st.global.b32 [%out+8], %w2;
  ret;
}
`;

/** Each block reverses its part of the data, through dynamic shared memory of 4 bytes per thread. */
export const TURN = `${HEAD}.extern .shared .align 4 .b8 part[];
.visible .entry turn(.param .u64 data) {
  .reg .b64 %data, %at, %shared;
  .reg .b32 %block, %threads, %thread, %i, %value, %place;
  ld.param.u64 %data, [data];
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %block, %threads, %thread;
  mul.wide.u32 %at, %i, 4;
  add.u64 %data, %data, %at;
  ld.global.u32 %value, [%data];
  mov.u32 %place, part;
  shl.b32 %i, %thread, 2;
  add.u32 %place, %place, %i;
  st.shared.u32 [%place], %value;
  bar.sync 0;
  sub.u32 %thread, %threads, %thread;
  sub.u32 %thread, %thread, 1;
  mov.u32 %place, part;
  shl.b32 %i, %thread, 2;
  add.u32 %place, %place, %i;
  ld.shared.u32 %value, [%place];
  st.global.u32 [%data], %value;
  ret;
}
`;

/** A variable, and a kernel that adds it to each element. */
export const TABLE = `${HEAD}.visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .const .align 4 .u32 scale = 10;
.visible .entry look(.param .u64 out) {
  .reg .b64 %out, %at, %table;
  .reg .b32 %thread, %value, %scale;
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %at, %thread, 4;
  mov.u64 %table, table;
  add.u64 %table, %table, %at;
  add.u64 %out, %out, %at;
  ld.global.u32 %value, [%table];
  ld.const.u32 %scale, [scale];
  mul.lo.u32 %value, %value, %scale;
  st.global.u32 [%out], %value;
  ret;
}
`;

/** Writes to an arbitrary address. */
export const POKE = `${HEAD}.visible .entry poke(.param .u64 address) {
  .reg .b64 %address;
  ld.param.u64 %address, [address];
  st.global.u32 [%address], 1;
  ret;
}
`;

/** Spins until a word is not 0. */
export const WAIT = `${HEAD}.visible .entry wait(.param .u64 flag) {
  .reg .b64 %flag;
  .reg .b32 %value;
  .reg .pred %go;
  ld.param.u64 %flag, [flag];
AGAIN:
  ld.volatile.global.u32 %value, [%flag];
  setp.ne.u32 %go, %value, 0;
  @!%go bra AGAIN;
  ret;
}
`;

/**
 * A barrier over all blocks of a grid, used once: after it, each block reads what another block wrote before
 * it.
 */
export const GRID_BARRIER = `${HEAD}.visible .entry meet(.param .u64 data, .param .u64 arrived) {
  .reg .b64 %data, %arrived, %at;
  .reg .b32 %block, %blocks, %count, %value;
  .reg .pred %all, %wrap;
  ld.param.u64 %data, [data];
  ld.param.u64 %arrived, [arrived];
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.wide.u32 %at, %block, 4;
  add.u64 %at, %data, %at;
  st.volatile.global.u32 [%at], %block;
  membar.gl;
  atom.global.add.u32 %count, [%arrived], 1;
AGAIN:
  ld.volatile.global.u32 %count, [%arrived];
  setp.ge.u32 %all, %count, %blocks;
  @!%all bra AGAIN;
  membar.gl;
  add.u32 %block, %block, 1;
  setp.ge.u32 %wrap, %block, %blocks;
  @%wrap mov.u32 %block, 0;
  mul.wide.u32 %at, %block, 4;
  add.u64 %at, %data, %at;
  ld.volatile.global.u32 %value, [%at];
  mov.u32 %block, %ctaid.x;
  mul.wide.u32 %at, %block, 4;
  add.u64 %at, %data, %at;
  mul.wide.u32 %data, %blocks, 4;
  add.u64 %at, %at, %data;
  st.global.u32 [%at], %value;
  ret;
}
`;

/** Each block writes its rank in its cluster; requires sm_90 or later. */
export const CLUSTER = `.version 8.0
.target sm_90
.address_size 64
.visible .entry rank(.param .u64 out) {
  .reg .b64 %out, %at;
  .reg .b32 %block, %rank;
  ld.param.u64 %out, [out];
  mov.u32 %block, %ctaid.x;
  mov.u32 %rank, %cluster_ctarank;
  mul.wide.u32 %at, %block, 4;
  add.u64 %out, %out, %at;
  st.global.u32 [%out], %rank;
  ret;
}
`;
