#define SITE(v) \
  /* PTX_INJECT one \
      in f32 x \
  */
  /* PTX_INJECT two
      in f32 x
      out f32 y
  */ next();
