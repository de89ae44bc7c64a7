// program: tags=language,virtual-functions,device-malloc except=races
// Objects on the device's heap: virtual functions, new and delete, malloc and free, and a list linked by threads.

#include "../check.h"

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
  __device__ int corners() const override { return 4; }
};

__global__ void create(Shape** shapes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (i % 2) shapes[i] = new Box(float(i), 2.0f);
  else shapes[i] = new Circle(float(i));
}

__global__ void measure(Shape** shapes, float* areas, int* corners, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  areas[i] = shapes[i]->area();
  corners[i] = shapes[i]->corners();
}

__global__ void destroy(Shape** shapes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) delete shapes[i];
}

struct Node {
  int value;
  Node* next;
};
__device__ Node* head;

__global__ void push() {
  Node* node = static_cast<Node*>(malloc(sizeof(Node)));
  node->value = blockIdx.x * blockDim.x + threadIdx.x;
  Node* old = head;
  do {
    node->next = old;
    old = reinterpret_cast<Node*>(atomicCAS(reinterpret_cast<unsigned long long*>(&head), reinterpret_cast<unsigned long long>(node->next),
                                            reinterpret_cast<unsigned long long>(node)));
  } while (old != node->next);
}

__global__ void sum_list(int* sum, int* length) {
  for (Node* node = head; node != nullptr;) {
    *sum += node->value;
    ++*length;
    Node* next = node->next;
    free(node);
    node = next;
  }
}

int main() {
  const int count = 100;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  DeviceArray<Shape*> shapes(count);
  DeviceArray<float> areas(count);
  DeviceArray<int> corners(count), sum(1), length(1);
  create<<<2, 64>>>(shapes, count);
  measure<<<2, 64>>>(shapes, areas, corners, count);
  destroy<<<2, 64>>>(shapes, count);
  push<<<3, 32>>>();
  sum_list<<<1, 1>>>(sum, length);
  CHECK_KERNEL();
  std::vector<float> want(count);
  std::vector<int> wanted(count);
  for (int i = 0; i < count; i++) want[i] = i % 2 ? i * 2.0f : 3.0f * i * i, wanted[i] = i % 2 ? 4 : 0;
  same("areas", areas.host(), want);
  same("corners", corners.host(), wanted);
  same("length", length.host()[0], 96);
  same("sum", sum.host()[0], 95 * 96 / 2);
  return finish();
}
