__global__ void k() {
  float x;
  /* PTX_INJECT func
      in F23 x
  */
}
