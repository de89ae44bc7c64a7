/* PTX_INJECT func in f32 x */
