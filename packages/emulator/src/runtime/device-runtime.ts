// The functions of CUDA's device runtime library that kernels may call, in PTX. nvcc leaves them to the linker, which adds
// them to the module here.

/** The handle of a conditional node is the address of its value. */
const SET_CONDITIONAL = `.version 8.0
.target sm_50
.address_size 64
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
  .reg .b32 %value;
  .reg .b64 %handle;
  ld.param.b64 %handle, [handle];
  ld.param.b32 %value, [value];
  st.global.b32 [%handle], %value;
  ret;
}
`;

const FUNCTIONS: readonly { readonly name: RegExp; readonly ptx: string }[] = [
  { name: /\.extern\s+\.func\s+cudaGraphSetConditional\b/, ptx: SET_CONDITIONAL },
];

/** The PTX of the functions that texts declare and leave to the linker. */
export function deviceRuntimeOf(texts: readonly string[]): readonly string[] {
  return FUNCTIONS.filter(({ name }) => texts.some((text) => name.test(text))).map(({ ptx }) => ptx);
}
