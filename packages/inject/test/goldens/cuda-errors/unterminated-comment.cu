float z;
/* PTX_INJECT func
    out f32 z
