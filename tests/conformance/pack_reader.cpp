// Cases in a safetensors file: 8 bytes of header length, a header of JSON, then the numbers.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "case_reader.h"

namespace conformance {

namespace {

constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{1} << 22;
constexpr std::uint64_t kMaxPackBytes = std::uint64_t{1} << 30;

// Reads JSON as its caller asks for it: what is nested other than expected, however deep, is
// refused at its first bracket. Of JSON, what such files hold: no null, no booleans, and in strings
// no escapes but \" \\ \/.
class Json {
 public:
  explicit Json(std::string_view text) : rest_(text) {}

  template <class Member>
  void object(const Member& member) {  // member(name), which reads the value
    std::set<std::string> names;
    list('{', '}', [&] {
      const auto [name, is_new] = names.insert(string());
      if (!is_new) throw Refusal(in_quotes(*name) + " is given twice");
      expect(':');
      member(*name);
    });
  }

  template <class Item>
  void list(char open, char close, const Item& item) {
    expect(open);
    if (next() == close) return expect(close);
    for (;; expect(',')) {
      item();
      if (next() == close) return expect(close);
    }
  }

  std::string string() {
    expect('"');
    std::string text;
    for (; !rest_.empty() && rest_[0] != '"'; rest_.remove_prefix(1)) {
      if (static_cast<unsigned char>(rest_[0]) < ' ') throw Refusal("a string is broken off");
      if (rest_[0] == '\\') {
        rest_.remove_prefix(1);
        if (rest_.empty() || std::string_view("\"\\/").find(rest_[0]) == rest_.npos)
          throw Refusal("an escape is \\\", \\\\ or \\/");
      }
      text += rest_[0];
    }
    if (rest_.empty()) throw Refusal("a string is broken off");
    rest_.remove_prefix(1);
    return text;
  }

  std::variant<std::int64_t, double, std::string> value() {
    if (next() == '"') return string();
    const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("-+.0123456789eE"));
    rest_.remove_prefix(digits.size());
    if (digits.find_first_of(".eE") == digits.npos) return integer(digits);
    return number(digits);
  }

  void end() {
    if (next() != '\0') throw Refusal("something follows " + in_quotes(rest_));
  }

 private:
  char next() {  // '\0' at the end
    rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \t\r\n")));
    return rest_.empty() ? '\0' : rest_[0];
  }
  void expect(char mark) {
    if (next() != mark) {
      throw Refusal(std::string(1, mark) + " should stand before " +
                    in_quotes(rest_.substr(0, 20)));
    }
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

template <class T>
T read(Json& json, const std::string& rule) {
  const auto value = json.value();
  if (const auto* given = std::get_if<T>(&value)) return *given;
  throw Refusal(rule);
}

double read_tolerance(Json& json) {
  const auto value = json.value();
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* given = std::get_if<double>(&value);
  const double tolerance = whole ? static_cast<double>(*whole) : given ? *given : -1;
  if (tolerance < 0) throw Refusal("a tolerance is a number of 0 or more");
  return tolerance;
}

Case read_about(const std::string& name, const std::string& text) {
  Case about;
  about.name = name;
  about.rtol = about.atol = -1;
  Json json(text);
  json.object([&](const std::string& key) {
    if (key == "op") {
      about.op = read<std::string>(json, in_quotes(key) + " is a string");
    } else if (key == "categories") {
      about.categories = read<std::string>(json, in_quotes(key) + " is a string");
    } else if (key == "rtol" || key == "atol") {
      (key == "rtol" ? about.rtol : about.atol) = read_tolerance(json);
    } else if (key == "attributes") {
      json.object([&](const std::string& attribute) {
        about.attributes.push_back({attribute, json.value()});
      });
    } else {
      throw Refusal("a case has op, categories, attributes, rtol and atol, not " + in_quotes(key));
    }
  });
  json.end();
  if (about.op.empty()) throw Refusal("it names no op");
  if (about.rtol < 0 || about.atol < 0) throw Refusal("it needs both rtol and atol");
  return about;
}

struct Entry {
  std::string path;
  const NumberType* type = nullptr;
  Tensor tensor;
  std::uint64_t begin = 0, end = 0;
};

Entry read_entry(const std::string& path, Json& json) {
  Entry entry{path, nullptr, {}, 0, 0};
  std::vector<std::int64_t> shape, offsets;
  json.object([&](const std::string& key) {
    if (key == "dtype") {
      const std::string type = read<std::string>(json, in_quotes(key) + " is a string");
      const auto found = std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                                      [&](const NumberType& t) { return t.packed_name == type; });
      if (found == kNumberTypes.end())
        throw Refusal("a dtype is F32, F64, I64, BOOL or I8, not " + in_quotes(type));
      entry.type = &*found;
    } else if (key == "shape" || key == "data_offsets") {
      auto& numbers = key == "shape" ? shape : offsets;
      json.list('[', ']', [&] {
        numbers.push_back(read<std::int64_t>(json, "an extent or offset is an integer"));
      });
    } else {
      throw Refusal("a tensor has dtype, shape and data_offsets, not " + in_quotes(key));
    }
  });
  if (entry.type == nullptr || offsets.size() != 2 || offsets[0] < 0 || offsets[0] > offsets[1])
    throw Refusal("a tensor needs a dtype and two data_offsets of 0 or more, in order");
  entry.tensor.name = path.substr(path.rfind('/') + 1);
  set_extents(*entry.type, shape, entry.tensor);
  entry.begin = static_cast<std::uint64_t>(offsets[0]);
  entry.end = static_cast<std::uint64_t>(offsets[1]);
  const std::uint64_t wanted = std::uint64_t{entry.type->bytes} * entry.tensor.count;
  if (entry.end - entry.begin != wanted) {
    throw Refusal("it has " + std::to_string(entry.end - entry.begin) +
                  " bytes; its shape asks for " + std::to_string(wanted));
  }
  return entry;
}

// Every byte belongs to one tensor, as the format has it.
void check_places(std::vector<const Entry*> entries, std::size_t size) {
  std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t filled = 0;
  for (const Entry* entry : entries) {
    if (entry->begin != filled) {
      throw Refusal(in_quotes(entry->path) + " begins at byte " + std::to_string(entry->begin) +
                    ", and the one before it ends at " + std::to_string(filled));
    }
    filled = entry->end;
  }
  if (filled != size) {
    throw Refusal("the tensors take " + std::to_string(filled) + " bytes, and " +
                  std::to_string(size) + " follow the header");
  }
}

// Runs `read`, and says whose fault a refusal is.
template <class Read>
auto about(const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const Refusal& refusal) {
    throw Refusal(in_quotes(name) + ": " + refusal.what());
  }
}

std::vector<Case> read_cases(std::span<const std::byte> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw Refusal("has fewer than 8 bytes");
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes = bytes.subspan(sizeof length);
  if (length > kMaxHeaderBytes || length > bytes.size()) {
    throw Refusal("has a header of " + std::to_string(length) + " bytes, and " +
                  std::to_string(std::min<std::uint64_t>(bytes.size(), kMaxHeaderBytes)) +
                  " can be read");
  }
  const std::span<const std::byte> data = bytes.subspan(length);
  Json header({reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length)});
  std::vector<Case> cases;
  std::vector<Entry> entries;
  header.object([&](const std::string& name) {
    if (name == "__metadata__") {
      header.object([&](const std::string& called) {
        cases.push_back(about(called, [&] { return read_about(called, header.string()); }));
      });
    } else {
      entries.push_back(about(name, [&] { return read_entry(name, header); }));
    }
  });
  header.end();
  if (cases.empty()) throw Refusal("its __metadata__ names no cases");
  std::vector<const Entry*> places;
  for (const Entry& entry : entries) places.push_back(&entry);
  check_places(std::move(places), data.size());

  std::map<std::string, Case*, std::less<>> by_name;
  for (Case& each : cases) by_name[each.name] = &each;
  for (Entry& entry : entries) {
    const std::string_view place = std::string_view(entry.path).substr(0, entry.path.rfind('/'));
    const bool is_in = place.ends_with("/in"), is_out = place.ends_with("/out");
    const auto found = by_name.find(place.substr(0, place.rfind('/')));
    if (found == by_name.end() || (!is_in && !is_out)) {
      throw Refusal(in_quotes(entry.path) +
                    ": a tensor is CASE/in/NAME or CASE/out/NAME, its case in __metadata__");
    }
    entry.tensor.numbers = entry.type->decode(data.subspan(entry.begin, entry.end - entry.begin));
    auto& tensors = is_in ? found->second->inputs : found->second->outputs;
    tensors.push_back(std::move(entry.tensor));
  }
  for (const Case& each : cases) {
    if (each.outputs.empty())
      throw Refusal(in_quotes(each.name) + ": there is no output to hold results against");
  }
  return cases;
}

}  // namespace

std::vector<Case> parse_pack(std::span<const std::byte> bytes, const std::string& file) {
  try {
    return read_cases(bytes);
  } catch (const Refusal& refusal) {
    throw Refusal(file + ": " + refusal.what() + ".");
  }
}

std::vector<Case> read_pack(const std::filesystem::path& path) {
  Bytes bytes;
  try {
    bytes = read_file(path, [](std::uintmax_t size) {
      if (size > kMaxPackBytes)
        throw Refusal("has more than " + std::to_string(kMaxPackBytes) + " bytes");
    });
  } catch (const Refusal& refusal) {
    throw Refusal(path.string() + " " + refusal.what() + ".");
  }
  return parse_pack(bytes, path.string());
}

}  // namespace conformance
