// The kernel whose costs are learned: it computes z from three numbers at a site.
export const LESSON_KERNEL = `.version 7.8
.target sm_75
.address_size 64
.visible .entry lesson(.param .u64 memory)
{
	.reg .b64 %address<3>;
	.reg .b32 %thread;
	.reg .f32 %x, %y, %w, %z;
	ld.param.u64 %address1, [memory];
	cvta.to.global.u64 %address1, %address1;
	mov.u32 %thread, %tid.x;
	mul.wide.u32 %address2, %thread, 16;
	add.u64 %address1, %address1, %address2;
	ld.global.f32 %x, [%address1];
	ld.global.f32 %y, [%address1+4];
	ld.global.f32 %w, [%address1+8];
	{
	.reg .f32 %_x<4>;
	mov.f32 %_x1, %x;
	mov.f32 %_x2, %y;
	mov.f32 %_x3, %w;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// _x2 i f32 F32 y
	// _x3 i f32 F32 w
	// PTX_INJECT_END
	mov.f32 %z, %_x0;
	}
	st.global.f32 [%address1+12], %z;
	ret;
}
`;
