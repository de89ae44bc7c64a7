/* PTX_INJECT
    in f32 x
*/
/* PTX_INJECT */
