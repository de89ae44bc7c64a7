#ifndef GUARD
#if HALF
/* PTX_INJECT func
  in f16 x
*/
#elif DOUBLE
/* PTX_INJECT func
  in f32 x
*/
#else
/* PTX_INJECT func
  in u32 x
*/
#endif
#if 0 // not compiled, so it's no matter what stands here
/* PTX_INJECT func
  in nonsense
*/
#if X
/* PTX_INJECT func */
#endif
#else
/* PTX_INJECT other */
#endif
#if MORE
/* PTX_INJECT func
  in s32 x
*/
#endif
#endif
