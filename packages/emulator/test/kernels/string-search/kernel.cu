// nvcc -arch=sm_75
// Where a word first stands, and a bit for every place where it stands.
extern "C" __global__ void search(const char* text, int length, const char* word, int size, int* first, unsigned* bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + size > length) return;
  for (int k = 0; k < size; k++) if (text[i + k] != word[k]) return;
  atomicMin(first, i);
  atomicOr(&bits[i / 32], 1u << (i % 32));
}
