// Forged models, whose checksums match: those with numbers that no rows lead to are refused.
#include <cmath>
#include <cstring>

#include "../learn/mmptx_learn.hpp"
#include "check.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

enum { ROWS = 20 };
struct Data {
  std::vector<float> values, labels;
  std::size_t count = ROWS;
  mmptx::Rows rows() const { return {values.data(), labels.data(), count, 0, 0}; }
};

Data draw(std::size_t columns) {
  const auto uniform = [] { return static_cast<float>(check::below(1 << 20)) / (1 << 19) - 1; };
  Data data;
  for (std::size_t index = 0; index < ROWS * columns; index++) data.values.push_back(uniform());
  for (std::size_t index = 0; index < ROWS; index++) data.labels.push_back(uniform());
  return data;
}

/** Saved bytes with another word, and the checksum that fits. */
Bytes forge(Bytes saved, std::size_t index, std::uint32_t word) {
  std::memcpy(saved.data() + 4 * index, &word, 4);
  std::uint32_t sum = 0x811c9dc5u;
  for (std::size_t at = 0; at < saved.size() / 4; at++) {
    std::uint32_t each;
    std::memcpy(&each, saved.data() + 4 * at, 4);
    if (at != 7) sum = (sum ^ each) * 0x01000193u;
  }
  std::memcpy(saved.data() + 28, &sum, 4);
  return saved;
}

std::uint32_t bits(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, 4);
  return word;
}

/** The status of a saved model. */
template <typename Model>
int load(const Bytes& saved) {
  try {
    Model loaded(saved);
    return MMPTX_LEARN_OK;
  } catch (const mmptx::LearnError& error) {
    return error.status;
  }
}

TEST("models: forged linear models are refused") {
  const Data data = draw(2);
  mmptx_learn_linear_config config = {2, 4, 0, 1, 1};
  mmptx::Linear linear(config);
  linear.fit(data.rows());
  const Bytes saved = linear.save();
  // After a head of eight words and twelve numbers, the factor has five columns of eight values.
  const std::size_t factor = 8 + 24;
  const auto status = [&](std::size_t index, std::uint32_t word) { return load<mmptx::Linear>(forge(saved, index, word)); };
  EXPECT_EQUAL(status(factor + 9, bits(1.0f / 524288)), MMPTX_LEARN_OK);
  EXPECT_EQUAL(status(factor + 9, bits(1.0f / 524289)), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(factor + 10, bits(-1099511627776.0f)), MMPTX_LEARN_OK);
  EXPECT_EQUAL(status(factor + 10, bits(-1099511700000.0f)), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(factor + 10, bits(NAN)), MMPTX_LEARN_BAD_MODEL);
  // Above the diagonal, after the last row, and the sign of the last entry.
  EXPECT_EQUAL(status(factor + 8, bits(1)), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(factor + 5, bits(-0.0f)), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(factor + 36, bits(-0.0f)), MMPTX_LEARN_BAD_MODEL);
  // The upper words of the number of rows, of a mean and of a deviation.
  EXPECT_EQUAL(status(8 + 11, 0x43400000), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(8 + 13, 0x7fefffff), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(8 + 15, 0xbff00000), MMPTX_LEARN_BAD_MODEL);
}

TEST("models: forged perceptrons and components are refused") {
  const Data data = draw(1);
  mmptx_learn_mlp_config config = {1, {4, 0}, 0, 20, 0, 0.01};
  mmptx::Mlp mlp(config);
  mlp.fit(data.rows(), 1);
  // After a head of eight words and 15 numbers: 28 parameters, as many means of gradients, and as many mean squares.
  const std::size_t parameters = 8 + 30, means = parameters + 28, squares = means + 28;
  const Bytes saved = forge(forge(mlp.save(), means, bits(0)), squares, bits(1));
  const auto status = [&](std::size_t index, float value) { return load<mmptx::Mlp>(forge(saved, index, bits(value))); };
  EXPECT_EQUAL(status(parameters, -16777216.0f), MMPTX_LEARN_OK);
  EXPECT_EQUAL(status(parameters, 16777218.0f), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(means, 7.9f), MMPTX_LEARN_OK);
  EXPECT_EQUAL(status(means, -8.1f), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(status(squares, 0), MMPTX_LEARN_OK);
  for (float value : {-1.0f, NAN, INFINITY}) EXPECT_EQUAL(status(squares, value), MMPTX_LEARN_BAD_MODEL);

  mmptx::Pca pca(mmptx_learn_pca_config{1, 1});
  pca.update(data.values.data(), data.count);
  const Bytes components = pca.save();
  // After four numbers, rows of four with one column each: a shift of f32, and sums, products and a component of f64.
  for (std::size_t index : {17u, 19u, 22u, 27u, 30u, 35u, 38u, 43u})
    EXPECT_EQUAL(load<mmptx::Pca>(forge(components, index, 1)), MMPTX_LEARN_BAD_MODEL);
}

TEST("models: forged trees are refused") {
  const float values[] = {1, 2, 3, 4}, labels[] = {0, 1, 5, 7};
  auto config = mmptx_learn_trees_defaults(1, 4);
  config.all_rows = 1;
  mmptx::Trees trees(config);
  trees.fit({values, labels, 4, 0, 0});
  const Bytes saved = trees.save();
  // After a head of eight words and 13 numbers, the columns of four splits, and their thresholds: 1.5, 2.5, 3.5 and an infinity.
  const std::size_t columns = 8 + 26, thresholds = columns + 4;
  const auto status = [&](std::size_t index, float value) { return load<mmptx::Trees>(forge(saved, index, bits(value))); };
  EXPECT_EQUAL(status(thresholds, -3e38f), MMPTX_LEARN_OK);
  EXPECT_EQUAL(status(thresholds + 3, 3e38f), MMPTX_LEARN_OK);
  for (float value : {-INFINITY, INFINITY, NAN, 2.6f}) EXPECT_EQUAL(status(thresholds, value), MMPTX_LEARN_BAD_MODEL);
  EXPECT_EQUAL(load<mmptx::Trees>(forge(saved, columns, 1)), MMPTX_LEARN_BAD_MODEL);
}

}  // namespace
