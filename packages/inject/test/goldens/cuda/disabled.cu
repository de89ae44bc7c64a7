// /* PTX_INJECT off
// in  f32 x
// out f32 y
// */
/* PTX_INJECT on
    // in  f32 x
    out f32 y   // this one is written
      //
    
    // */
// continued \
/* PTX_INJECT off */
