#include "image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

namespace fake {
namespace {

// An entry of `.nv.info.NAME`: a format, a number, and two bytes that are a value or the size of the bytes that follow.
constexpr uint8_t kSized = 4;
constexpr uint8_t kMaxThreadsAttribute = 0x05;
constexpr uint8_t kParameterBank = 0x0a;
constexpr uint8_t kParameter = 0x17;
constexpr uint8_t kParameterLarge = 0x45;
constexpr int kLastOldAbi = 7;
constexpr uint32_t kFatbinMagic = 0xba55ed50;

template <typename Number>
Number numberAt(const char *bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

bool startsWith(const std::string &text, const char *head) { return text.rfind(head, 0) == 0; }

void readAttributes(const char *at, const char *end, Kernel &kernel) {
  std::map<int, Parameter> parameters;
  while (at + 4 <= end) {
    const auto format = static_cast<uint8_t>(at[0]);
    const auto number = static_cast<uint8_t>(at[1]);
    const char *content = at + 4;
    at = content + (format == kSized ? numberAt<uint16_t>(at + 2) : 0);
    if (number == kParameter) {
      parameters[numberAt<uint16_t>(content + 4)] = {numberAt<uint16_t>(content + 6), numberAt<uint32_t>(content + 8) >> 18};
    } else if (number == kParameterLarge) {
      parameters[numberAt<uint16_t>(content + 4)] = {numberAt<uint16_t>(content + 6), numberAt<uint16_t>(content + 8)};
    } else if (number == kParameterBank) {
      kernel.parameterBytes = numberAt<uint16_t>(content + 6);
    } else if (number == kMaxThreadsAttribute) {
      kernel.maxThreads = static_cast<int>(numberAt<uint32_t>(content) * numberAt<uint32_t>(content + 4) *
                                           numberAt<uint32_t>(content + 8));
    }
  }
  for (const auto &[ordinal, parameter] : parameters) kernel.parameters.push_back(parameter);
}

void readElf(const char *file, Image &into) {
  const auto header = numberAt<Elf64_Ehdr>(file);
  into.arch = static_cast<int>((file[EI_ABIVERSION] <= kLastOldAbi ? header.e_flags : header.e_flags >> 8) & 0xff);
  const auto section = [&](unsigned index) {
    return numberAt<Elf64_Shdr>(file + header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const char *names = file + section(header.e_shstrndx).sh_offset;
  std::map<std::string, Kernel> kernels;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    const Elf64_Shdr each = section(i);
    const std::string name = names + each.sh_name;
    const char *content = file + each.sh_offset;
    if (startsWith(name, ".text.")) kernels[name.substr(6)].registers = static_cast<int>(each.sh_info >> 24);
    if (startsWith(name, ".nv.info.")) readAttributes(content, content + each.sh_size, kernels[name.substr(9)]);
    // The part that the system reserves belongs to no kernel.
    const bool reserved = startsWith(name, ".nv.shared.reserved.");
    if (startsWith(name, ".nv.shared.") && !reserved) kernels[name.substr(11)].sharedBytes = static_cast<int>(each.sh_size);
    if (startsWith(name, ".nv.constant0.")) kernels[name.substr(14)].constantBytes = static_cast<int>(each.sh_size);
    if (each.sh_type != SHT_SYMTAB) continue;
    const char *texts = file + section(each.sh_link).sh_offset;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= each.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = numberAt<Elf64_Sym>(content + at);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL &&
          symbol.st_shndx != SHN_UNDEF) {
        into.variables.push_back({texts + symbol.st_name, symbol.st_size});
      }
    }
  }
  for (auto &[name, kernel] : kernels) {
    kernel.name = name;
    if (kernel.registers == 0) kernel.registers = 16;
    // Names in `.nv.info` that are not kernels have no code.
    into.kernels.push_back(kernel);
  }
}

std::string word(const std::string &text, size_t from) {
  const size_t begin = text.find_first_not_of(" \t\r\n", from);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" \t\r\n(),;[{=", begin) - begin);
}

// The name and size in `.u64 name` or `.align 8 .b8 name[24]`.
bool readDeclaration(const std::string &text, std::string &name, Parameter &size) {
  std::istringstream words(text);
  uint64_t width = 0;
  uint64_t alignment = 0;
  for (std::string each; words >> each;) {
    if (each == ".align") {
      words >> alignment;
    } else if (each[0] == '.' && each.size() > 2 && each.find_first_of("0123456789") == 2) {
      width = std::stoul(each.substr(2)) / 8;
    } else if (each[0] != '.') {
      name = each.substr(0, each.find('['));
      const size_t bracket = text.find('[');
      size.bytes = width * (bracket == std::string::npos ? 1 : std::stoull(text.substr(bracket + 1)));
      size.offset = std::max<uint64_t>(alignment, width);
      return width > 0;
    }
  }
  return false;
}

void readEntry(const std::string &text, size_t at, Image &into) {
  Kernel kernel;
  kernel.name = word(text, at);
  kernel.registers = 16;
  const size_t open = text.find('(', at);
  const size_t body = text.find('{', at);
  if (open < body) {
    std::istringstream list(text.substr(open + 1, text.find(')', open) - open - 1));
    for (std::string each; std::getline(list, each, ',');) {
      std::string name;
      Parameter parameter{};
      if (!readDeclaration(each, name, parameter)) continue;
      const uint64_t alignment = parameter.offset;
      parameter.offset = (kernel.parameterBytes + alignment - 1) / alignment * alignment;
      kernel.parameterBytes = parameter.offset + parameter.bytes;
      kernel.parameters.push_back(parameter);
    }
  }
  into.kernels.push_back(kernel);
}

// Parses as much PTX as the tests use: entries, and module variables.
void readPtx(const std::string &text, Image &into) {
  into.ptx = true;
  for (size_t at = text.find(".entry"); at != std::string::npos; at = text.find(".entry", at + 1)) {
    readEntry(text, at + 6, into);
  }
  for (const char *space : {".global ", ".const "}) {
    for (size_t at = text.find(space); at != std::string::npos; at = text.find(space, at + 1)) {
      // Not in the middle of an instruction.
      if (at > 0 && std::strchr(" \t\n", text[at - 1]) == nullptr) continue;
      std::string name;
      Parameter size{};
      const size_t begin = at + std::strlen(space);
      if (readDeclaration(text.substr(begin, text.find_first_of(";=", begin) - begin), name, size)) {
        into.variables.push_back({name, size.bytes});
      }
    }
  }
}

}  // namespace

bool readImage(const void *image, Image &into) {
  const char *bytes = static_cast<const char *>(image);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0) {
    readElf(bytes, into);
    return true;
  }
  if (numberAt<uint32_t>(bytes) == kFatbinMagic) {
    // The first cubin in it that is not compressed.
    const uint64_t size = numberAt<uint16_t>(bytes + 6) + numberAt<uint64_t>(bytes + 8);
    const char *end = bytes + size;
    const char *found = std::search(bytes, end, ELFMAG, ELFMAG + SELFMAG);
    if (found != end) readElf(found, into);
    return true;
  }
  const std::string text(bytes);
  if (text.find(".version") == std::string::npos) return false;
  readPtx(text, into);
  return true;
}

}  // namespace fake
