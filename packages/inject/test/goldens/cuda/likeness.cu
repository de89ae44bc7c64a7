/*PTX_INJECT func
    in f32 x
*/
/*  PTX_INJECT func */
/** PTX_INJECT func
 * in f32 x
 */
/*
  PTX_INJECT func
    in f32 x
*/
/* ptx_inject func */
/* PTXINJECT func */
/* PTX_INJCET func */
/* PTX-INJECT func */
/* PTX_INJECT: func */
/* PTX_INJECT(F32, x) is the macro */
/* PTX_INJECTOR of all */
/* ptx_inject.h has the macros */
/* ptx_inject is a word in prose */
/* print func */
// /*PTX_INJECT func
/*! PTX_INJECT documented
  in f32 x
*/
/* @PTX_INJECT tagged
  in f32 x
*/
/* PTX INJECT blank
  in f32 x
*/
/* PTX inject works */
/*! PTX_INJECT works */
