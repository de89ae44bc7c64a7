/* PTX_INJECT func
    in f32 x
    out f32 z as x
*/
