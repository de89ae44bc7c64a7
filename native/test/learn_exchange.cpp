// Fits models to rows of a file, and loads and saves again those of JavaScript:
//   learn_exchange FOLDER COLUMNS
// reads rows.f32, labels.f32 and KIND.javascript from the folder, and writes KIND.native and KIND.again.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "../learn/mmptx_learn.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("expected to read " + path);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

void write(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<float> floats(const std::string& path) {
  const Bytes bytes = read(path);
  const auto* first = reinterpret_cast<const float*>(bytes.data());
  return std::vector<float>(first, first + bytes.size() / 4);
}

template <typename Model>
void exchange(const std::string& folder, const std::string& kind, const Model& fitted) {
  write(folder + "/" + kind + ".native", fitted.save());
  write(folder + "/" + kind + ".again", Model(read(folder + "/" + kind + ".javascript")).save());
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) throw std::runtime_error("expected a folder and a number of columns");
  const std::string folder = arguments[1];
  const auto columns = static_cast<std::uint32_t>(std::stoul(arguments[2]));
  const auto values = floats(folder + "/rows.f32");
  const auto labels = floats(folder + "/labels.f32");
  const mmptx::Rows rows{values.data(), labels.data(), labels.size(), 0, 0};

  mmptx::Trees trees(mmptx_learn_trees_defaults(columns, static_cast<std::uint32_t>(labels.size())));
  trees.fit(rows);
  exchange(folder, "trees", trees);
  mmptx::Linear linear(mmptx_learn_linear_defaults(columns));
  linear.fit(rows);
  linear.update(values.data(), 0.1);
  exchange(folder, "linear", linear);
  mmptx::Mlp mlp(mmptx_learn_mlp_defaults(columns));
  mlp.fit(rows, 3);
  exchange(folder, "mlp", mlp);
  mmptx::Pca pca(mmptx::Pca::Config{columns, 2});
  pca.update(values.data(), labels.size());
  exchange(folder, "pca", pca);
  std::puts(mmptx_learn_isa());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
