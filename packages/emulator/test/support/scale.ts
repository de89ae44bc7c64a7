// A kernel that computes `data[i] = data[i] * factor + pair[1]`.
export const SCALE = `.version 8.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .align 4 .b8 pair[8])
{
	.reg .b32 %r<4>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	ld.param.f32 %f1, [factor];
	ld.param.f32 %f2, [pair+4];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.f32 %f3, [%rd1];
	fma.rn.f32 %f3, %f3, %f1, %f2;
	st.global.f32 [%rd1], %f3;
	ret;
}
`;

/** The bytes of numbers. */
export const floats = (...values: number[]) => new Uint8Array(new Float32Array(values).buffer);
