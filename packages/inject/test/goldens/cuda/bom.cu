/* PTX_INJECT func
  in f32 größe as size
  in f32 größe */