/* PTX_INJECT func
    inn f32 x
    * out f32 z
*/
