/* PTX_INJECT func
    in f32
    inn f32 x
*/
