#define ONE(x) /* PTX_INJECT one */ x
#define TWO(x, y) \
  /* PTX_INJECT two \
      in f32 x \
      // in f32 z \
      out f32 y \
  */
/* a comment */ # /* and
another */ define THREE(x) f(x); /* PTX_INJECT three
  in f32 x
*/ g(x)
  #pragma unroll
/* PTX_INJECT four
  in f32 x
*/
