// A program as nvcc would build it, with PTX in place of a fatbin. Its argument names the part to run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { unsigned x, y, z; } dim3;
typedef struct { unsigned magic, version; const void* image; const void** linked; } wrapper;

extern void** __cudaRegisterFatBinary(void*);
extern void __cudaRegisterFatBinaryEnd(void**);
extern void __cudaRegisterFunction(void**, const void*, const char*, const char*, int, void*, void*, void*, void*, int*);
extern void __cudaRegisterVar(void**, void*, const char*, const char*, int, size_t, int, int);
extern void __cudaRegisterManagedVar(void**, void**, const char*, const char*, int, size_t, int, int);
extern char __cudaInitModule(void**);
extern int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
extern int cudaMalloc(void**, size_t), cudaFree(void*), cudaMallocManaged(void**, size_t, unsigned);
extern int cudaHostAlloc(void**, size_t, unsigned), cudaFreeHost(void*);
extern int cudaMemcpy(void*, const void*, size_t, int), cudaMemset(void*, int, size_t);
extern int cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, int);
extern int cudaMemcpyFromSymbol(void*, const void*, size_t, size_t, int);
extern int cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, int);
extern int cudaDeviceSynchronize(void), cudaGetLastError(void), cudaDeviceReset(void);
extern const char* cudaGetErrorName(int);
extern int cudaStreamCreate(void**), cudaStreamBeginCapture(void*, int), cudaStreamEndCapture(void*, void**);
extern int cudaGraphInstantiate(void**, void*, unsigned long long), cudaGraphLaunch(void*, void*);
extern int cudaMallocMipmappedArray(void);
extern int cudaDeviceSetLimit(unsigned, size_t), cudaDeviceGetLimit(size_t*, unsigned);

static const char PTX[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".global .align 4 .u32 total = 5;\n"
    ".global .attribute(.managed) .align 4 .u32 shared_total = 7;\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".global .align 1 .b8 words[8] = {104, 101, 108, 108, 111, 10, 0, 0};\n"
    ".visible .entry add(.param .u64 data, .param .u32 amount)\n{\n"
    " .reg .b32 %r<5>; .reg .b64 %rd<4>;\n"
    " ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [amount];\n"
    " mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;\n"
    " ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd3], %r3;\n"
    " red.global.add.u32 [total], 1; red.global.add.u32 [shared_total], 1;\n ret;\n}\n"
    ".visible .entry hello()\n{\n .reg .b64 %rd<3>;\n mov.u64 %rd1, words; cvta.global.u64 %rd1, %rd1;\n {\n"
    " .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], 0; .param .b32 r;\n"
    " call.uni (r), vprintf, (a, b);\n }\n ret;\n}\n"
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2\n"
    "(.param .b64 k, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
    ".visible .entry greet()\n{\n .reg .b64 %rd<3>;\n mov.u64 %rd1, hello;\n {\n"
    " .param .b64 k; st.param.b64 [k], %rd1; .param .align 4 .b8 d[12];\n"
    " st.param.b32 [d], 1; st.param.b32 [d+4], 1; st.param.b32 [d+8], 1;\n"
    " .param .b32 s; st.param.b32 [s], 0; .param .b64 r;\n"
    " call.uni (r), __cudaCDP2GetParameterBufferV2, (k, d, d, s);\n ld.param.b64 %rd2, [r];\n }\n {\n"
    " .param .b64 p; st.param.b64 [p], %rd2; .param .b64 s; st.param.b64 [s], 0; .param .b32 r;\n"
    " call.uni (r), __cudaCDP2LaunchDeviceV2, (p, s);\n }\n ret;\n}\n";

// Two files that `nvcc -rdc=true` links.
#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
static const char CALLER[] = HEAD
    ".extern .func (.param .b32 r) answer();\n"
    ".visible .entry ask(.param .u64 data)\n{\n .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [data];\n"
    " { .param .b32 r; call.uni (r), answer, (); ld.param.b32 %r, [r]; }\n st.global.u32 [%rd], %r;\n ret;\n}\n";
static const char CALLED[] = HEAD
    ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n"
    ".visible .func (.param .b32 r) answer()\n{\n .reg .b64 %rd; .reg .pred %p; .reg .b32 %r;\n {\n"
    " .param .b64 bytes; st.param.b64 [bytes], 20000000; .param .b64 r; call.uni (r), malloc, (bytes);\n"
    " ld.param.b64 %rd, [r];\n }\n setp.ne.u64 %p, %rd, 0; selp.u32 %r, 42, 41, %p; st.param.b32 [r], %r;\n ret;\n}\n";
static const void* linked[] = {CALLER, CALLED, 0};
static wrapper linked_image = {0x466243b1, 2, "", linked};

static wrapper image = {0x466243b1, 1, PTX, 0};
static char add, hello, greet, ask, total;
static unsigned* shared_total;
static void** module;

static __attribute__((constructor)) void start(void) {
  module = __cudaRegisterFatBinary(&image);
  __cudaRegisterFunction(module, &add, "add", "add", -1, 0, 0, 0, 0, 0);
  __cudaRegisterFunction(module, &hello, "hello", "hello", -1, 0, 0, 0, 0, 0);
  __cudaRegisterFunction(module, &greet, "greet", "greet", -1, 0, 0, 0, 0, 0);
  __cudaRegisterVar(module, &total, "total", "total", 0, 4, 0, 0);
  __cudaRegisterManagedVar(module, (void**)&shared_total, "shared_total", "shared_total", 0, 4, 0, 1);
  __cudaRegisterFatBinaryEnd(module);
}

static int launch(void* data, unsigned amount, unsigned threads, void* stream) {
  void* arguments[] = {&data, &amount};
  dim3 grid = {1, 1, 1}, block = {threads, 1, 1};
  return cudaLaunchKernel(&add, grid, block, arguments, 0, stream);
}

static void show(const char* what, int error) { printf("%s %s\n", what, cudaGetErrorName(error)); }

int main(int count, char** words) {
  const char* part = count > 1 ? words[1] : "";
  int found[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  void* data;
  if (!strcmp(part, "copies")) {
    cudaMalloc(&data, sizeof found);
    cudaMemcpy(data, found, sizeof found, 1);
    launch(data, 10, 8, 0);
    cudaMemset((char*)data + 4, 0, 4);
    cudaMemcpy(found, data, sizeof found, 2);
    printf("%d %d %d\n", found[0], found[1], found[7]);
    int rows[4] = {0};
    cudaMemcpy2D(rows, 8, data, 16, 8, 2, 2);
    printf("%d %d %d %d\n", rows[0], rows[1], rows[2], rows[3]);
    int value = 0;
    cudaMemcpyFromSymbol(&value, &total, 4, 0, 2);
    printf("%d\n", value);
    show("outside", cudaMemcpy(found, data, 64, 2));
    show("twice", cudaFree(data) + cudaFree(data));
    return 3;
  }
  if (!strcmp(part, "shared")) {
    int* managed;
    int* pinned;
    __cudaInitModule(module);
    printf("%u\n", *shared_total);
    *shared_total = 100;
    cudaMallocManaged((void**)&managed, 32, 1);
    cudaHostAlloc((void**)&pinned, 32, 0);
    managed[2] = 5;
    pinned[1] = 50;
    launch(managed, 1, 8, 0);
    launch(pinned, 2, 8, 0);
    // The access waits for the kernels.
    printf("%d %d\n", managed[2], pinned[1]);
    managed[2] = 70;
    launch(managed, 1, 8, 0);
    cudaDeviceSynchronize();
    printf("%d %u\n", managed[2], *shared_total);
    return 0;
  }
  if (!strcmp(part, "faults")) {
    cudaMalloc(&data, 16);
    show("launch", launch(data, 1, 8, 0));
    show("wait", cudaDeviceSynchronize());
    show("later", cudaMemset(data, 0, 4));
    show("reset", cudaDeviceReset());
    cudaMalloc(&data, 32);
    cudaMemset(data, 0, 32);
    show("again", launch(data, 1, 8, 0));
    show("wait", cudaDeviceSynchronize());
    show("threads", launch(data, 1, 2048, 0));
    show("last", cudaGetLastError());
    show("last", cudaGetLastError());
    show("refused", cudaMallocMipmappedArray());
    return 0;
  }
  if (!strcmp(part, "graph")) {
    void *stream, *graph, *runnable;
    cudaMalloc(&data, 32);
    cudaMemset(data, 0, 32);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, 0);
    launch(data, 1, 8, stream);
    launch(data, 10, 8, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&runnable, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(runnable, stream);
    cudaMemcpy(found, data, 32, 2);
    printf("%d\n", found[3]);
    return 0;
  }
  if (!strcmp(part, "linked")) {
    __cudaRegisterFunction(__cudaRegisterFatBinary(&linked_image), &ask, "ask", "ask", -1, 0, 0, 0, 0, 0);
    dim3 one = {1, 1, 1};
    void* arguments[] = {&data};
    size_t heap;
    cudaMalloc(&data, 4);
    for (int i = 0; i < 2; i++) {
      cudaLaunchKernel(&ask, one, one, arguments, 0, 0);
      cudaMemcpy(found, data, 4, 2);
      show("heap", cudaDeviceSetLimit(2, 32 << 20));
      cudaDeviceGetLimit(&heap, 2);
      printf("%d %d\n", found[0], (int)(heap >> 20));
    }
    show("late", cudaDeviceSetLimit(2, 1 << 20));
    return 0;
  }
  if (!strcmp(part, "print")) {
    dim3 one = {1, 1, 1};
    printf("before\n");
    cudaLaunchKernel(&hello, one, one, 0, 0, 0);
    printf("launched\n");
    cudaDeviceSynchronize();
    printf("after\n");
    return 0;
  }
  if (!strcmp(part, "nested")) {
    dim3 one = {1, 1, 1};
    cudaLaunchKernel(&greet, one, one, 0, 0, 0);
    show("wait", cudaDeviceSynchronize());
    return 0;
  }
  if (!strcmp(part, "fork")) {
    void* memory;
    cudaMalloc(&memory, 4);
    if (fork() == 0) {
      void* own;
      printf("child %s\n", cudaGetErrorName(cudaMalloc(&own, 4)));
      return 0;
    }
    wait(NULL);
    printf("parent %s\n", cudaGetErrorName(cudaFree(memory)));
  }
  if (!strcmp(part, "crash")) abort();
  return 9;
}
