// Rendering copies every piece once, into memory that is already allocated.
#include "job.h"

#include <algorithm>
#include <utility>

namespace mmptx {
namespace {

bool ascendingWithin(const std::vector<uint32_t> &ends, std::size_t size) {
  return std::is_sorted(ends.begin(), ends.end()) && (ends.empty() ? size == 0 : ends.back() == size);
}

}  // namespace

bool Template::valid() const {
  return segmentEnds.size() == holes.size() + 1 && ascendingWithin(segmentEnds, text.size()) &&
         std::all_of(holes.begin(), holes.end(), [this](uint32_t stub) { return stub < stubs; });
}

bool Source::valid() const {
  return form == nullptr || (stubEnds.size() == form->stubs && ascendingWithin(stubEnds, text.size()));
}

std::size_t Source::size() const {
  if (form == nullptr) return text.size();
  std::size_t size = form->text.size();
  for (const uint32_t stub : form->holes) size += stubEnds[stub] - (stub == 0 ? 0 : stubEnds[stub - 1]);
  return size;
}

std::string Source::take() {
  if (form == nullptr) return std::exchange(text, std::string());
  std::string rendered;
  rendered.reserve(size());
  uint32_t from = 0;
  for (std::size_t i = 0; i < form->segmentEnds.size(); i++) {
    rendered.append(form->text, from, form->segmentEnds[i] - from);
    from = form->segmentEnds[i];
    if (i == form->holes.size()) break;
    const uint32_t stub = form->holes[i];
    const uint32_t start = stub == 0 ? 0 : stubEnds[stub - 1];
    rendered.append(text, start, stubEnds[stub] - start);
  }
  *this = Source();
  return rendered;
}

}  // namespace mmptx
