// program: tags=runtime,device,errors
// What a machine with one GPU answers about peers, and copies between a device and itself.

#include "../check.h"

int main() {
  int devices = 0, can = 7, value = 0;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
  same("a device is not its own peer", can, 0);
  same("peer", cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  same("no access", cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  same("attribute", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 0), cudaErrorInvalidDevice);
  same("no such device", cudaDeviceCanAccessPeer(&can, 0, devices), cudaErrorInvalidDevice);
  same("no such device", cudaSetDevice(devices), cudaErrorInvalidDevice);
  cudaGetLastError();

  const std::vector<int> first = {1, 2, 3, 4, 5, 6, 7, 8};
  DeviceArray<int> source(first), target(8), third(8);
  CHECK(cudaMemcpyPeer(target, 0, source, 0, 32));
  same("copied", target.host(), first);
  cudaMemcpy3DPeerParms parameters = {};
  parameters.srcPtr = make_cudaPitchedPtr(source.get(), 16, 16, 2);
  parameters.dstPtr = make_cudaPitchedPtr(third.get(), 16, 16, 2);
  parameters.extent = make_cudaExtent(8, 2, 1);
  CHECK(cudaMemcpy3DPeer(&parameters));
  same("rows", third.host(), std::vector<int>{1, 2, 0, 0, 5, 6, 0, 0});

  size_t width = 0;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, 0));
  expect(width >= 1 << 27, "wide linear textures");
  return finish();
}
