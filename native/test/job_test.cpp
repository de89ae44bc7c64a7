#include "job.h"

#include <memory>
#include <string>
#include <vector>

#include "check.h"

using check::below;
using mmptx::Source;
using mmptx::Template;

namespace {

std::string word() { return std::string(below(6), static_cast<char>('a' + below(26))); }

struct Case {
  std::shared_ptr<Template> form = std::make_shared<Template>();
  Source source;
  std::string expected;
};

Case randomCase() {
  Case made;
  std::vector<std::string> stubs(below(5));
  for (std::string &stub : stubs) {
    stub = word();
    made.source.text += stub;
    made.source.stubEnds.push_back(static_cast<uint32_t>(made.source.text.size()));
  }
  made.form->stubs = static_cast<uint32_t>(stubs.size());
  const std::size_t holes = stubs.empty() ? 0 : below(8);
  for (std::size_t i = 0; i <= holes; i++) {
    const std::string segment = word();
    made.form->text += segment;
    made.form->segmentEnds.push_back(static_cast<uint32_t>(made.form->text.size()));
    made.expected += segment;
    if (i == holes) break;
    made.form->holes.push_back(static_cast<uint32_t>(below(stubs.size())));
    made.expected += stubs[made.form->holes.back()];
  }
  made.source.form = made.form;
  return made;
}

}  // namespace

TEST("job: a template and its stubs are one text") {
  for (std::size_t i = 0; i < check::cases(100000); i++) {
    Case made = randomCase();
    EXPECT(made.form->valid());
    EXPECT(made.source.valid());
    EXPECT_EQUAL(made.source.size(), made.expected.size());
    EXPECT_EQUAL(made.source.take(), made.expected);
    EXPECT_EQUAL(made.source.size(), 0u);
  }
}

TEST("job: inconsistent parts are detected") {
  for (std::size_t i = 0; i < check::cases(20000); i++) {
    Case made = randomCase();
    Template &form = *made.form;
    switch (below(6)) {
      case 0: form.segmentEnds.push_back(static_cast<uint32_t>(form.text.size())); break;
      case 1: form.holes.push_back(0); break;
      case 2: form.segmentEnds.back()++; break;
      case 3: form.text += 'x'; break;
      case 4:
        form.segmentEnds.insert(form.segmentEnds.begin(), 1u << 30);
        form.holes.insert(form.holes.begin(), 0);
        break;
      default:
        form.holes.assign(form.segmentEnds.size() - 1, form.stubs);
        if (form.holes.empty()) form.text += 'x';
    }
    EXPECT(!form.valid());
  }
}

TEST("job: stubs that do not fit a template are detected") {
  for (std::size_t i = 0; i < check::cases(20000); i++) {
    Case made = randomCase();
    Source &source = made.source;
    switch (below(3)) {
      case 0: source.stubEnds.push_back(static_cast<uint32_t>(source.text.size())); break;
      case 1: source.text += 'x'; break;
      default:
        if (source.stubEnds.empty()) source.text += 'x';
        else source.stubEnds.front() = static_cast<uint32_t>(source.text.size()) + 1;
    }
    EXPECT(!source.valid());
  }
}
