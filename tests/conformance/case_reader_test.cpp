// What the case reader accepts, and the hostile files that it refuses with a sentence.
#include "case_reader.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace fs = std::filesystem;
using namespace conformance;

namespace {

const std::string kHead = "case small | suite own | op Attention | categories plain,tiny\n";
const std::string kTail = "out Y f32 float32 1 2 Y.f32\ntol rtol 1e-5\ntol atol 1e-6\n";

std::string refusal_of(const std::string& text) {
  Case parsed;
  return parse_case(text, "case.txt", parsed).sentence;
}

// A folder of its own, removed afterwards.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / ("case_reader_" + name)) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  std::string refusal() const {
    Case read;
    return read_case(path, read).sentence;
  }
  const fs::path path;
};

}  // namespace

TEST_CASE("a case is read with its attributes, tensors and tolerances") {
  const Folder folder("whole");
  folder.write("case.txt", kHead +
                               "attr is_causal int -1\nattr scale float 2.5e-1\n"
                               "attr causal_align str top_left\r\n\n"
                               "in Q q8 float16 2 1 2 Q.q8\nin mask u8 bool 1 2 m.u8\n"
                               "in none f32 float32 2 0 7 none.f32\n" +
                               "in n i64 int64 0 n.i64\n" +
                               "out Y f32 float32 1 2 ../case_reader_other/Y.f32\n"
                               "tol rtol 1e-5   tol atol 1e-6\n");
  folder.write("Q.q8", std::string("\x80\x01", 2));
  folder.write("m.u8", std::string("\x01\x00", 2));
  folder.write("none.f32", "");
  folder.write("n.i64", std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8));
  const Folder other("other");
  other.write("Y.f32", std::string("\x00\x00\x80\x3f\x00\x00\x80\xff", 8));

  Case read;
  CHECK(read_case(folder.path, read).sentence == "");
  CHECK(read.name == "small");
  CHECK(read.suite == "own");
  CHECK(read.op == "Attention");
  CHECK(read.categories == "plain,tiny");
  CHECK(std::get<std::int64_t>(read.attribute("is_causal")->value) == -1);
  CHECK(std::get<double>(read.attribute("scale")->value) == 0.25);
  CHECK(std::get<std::string>(read.attribute("causal_align")->value) == "top_left");
  CHECK(read.rtol == 1e-5);
  CHECK(read.atol == 1e-6);
  REQUIRE(read.inputs.size() == 4);
  CHECK(read.input("Q")->dims == std::vector<std::size_t>{1, 2});
  CHECK(read.input("Q")->original_type == "float16");
  CHECK(read.input("Q")->at(0) == -0.125);
  CHECK(read.input("Q")->at(1) == 1.0 / 1024);
  CHECK(read.input("mask")->at(0) == 1);
  CHECK(read.input("none")->count == 0);
  CHECK(read.input("n")->at(0) == -1);
  CHECK(read.output("Y")->at(0) == 1);
  CHECK(read.output("Y")->at(1) == -std::numeric_limits<double>::infinity());
  CHECK(read.input("Y") == nullptr);
}

TEST_CASE("a broken record is refused with its line and the reason") {
  struct Bad {
    std::string record, reason;
  };
  const std::string huge = "99999999999999999999";
  const auto bad = GENERATE_COPY(
      Bad{"inn Q f32 float32 1 2 Q.f32", "a record is"},
      Bad{"case other | op Softmax", "second case"},
      Bad{"in Q f16 float16 1 2 Q.f16", "type is f32"}, Bad{"in Q", "type is f32"},
      Bad{"in Q f32 float32", "rank"}, Bad{"in Q f32 float32 x 2 Q.f32", "rank"},
      Bad{"in Q f32 float32 9 1 1 1 1 1 1 1 1 1 Q.f32", "rank"},
      Bad{"in Q f32 float32 -1 Q.f32", "rank"}, Bad{"in Q f32 float32 2 2 -3 Q.f32", "extent"},
      Bad{"in Q f32 float32 2 2 3.5 Q.f32", "extent"}, Bad{"in Q f32 float32 2 2", "extent"},
      Bad{"in Q f32 float32 1 " + huge + " Q.f32", "extent"},
      Bad{"in Q f32 float32 1 2", "a tensor is"},
      Bad{"in Q f32 float32 1 536870913 Q.f32", "larger"},
      Bad{"in Q f32 float32 2 4294967296 4294967296 Q.f32", "larger"},
      Bad{"in Q f32 float32 3 0 4294967296 4294967296 Q.f32", "larger"},
      Bad{"in Q q8 float32 1 536870913 Q.q8", "larger"},
      Bad{"in Q f32 float32 1 2 Q.i64", "its file .i64"},
      Bad{"attr scale float 1,5", "finite number"}, Bad{"attr scale float nan", "finite number"},
      Bad{"attr scale float 1e999", "finite number"}, Bad{"attr is_causal int 1.0", "integer"},
      Bad{"attr is_causal int " + huge, "integer"},
      Bad{"attr is_causal bool 1", "int, float or str"},
      Bad{"attr is_causal int", "an attribute is"}, Bad{"attr", "an attribute is"},
      Bad{"tol", "a tolerance is"}, Bad{"tol rtol", "not a number"},
      Bad{"tol rtol -1", "not a number"}, Bad{"tol atol inf", "not a number"},
      Bad{"tol close 1", "rtol or atol"});
  CAPTURE(bad.record);
  const std::string sentence = refusal_of(kHead + bad.record + "\n" + kTail);
  CHECK_THAT(sentence, Catch::Matchers::StartsWith("case.txt:2: "));
  CHECK_THAT(sentence, Catch::Matchers::ContainsSubstring(bad.reason));
  CHECK(refusal_of(kHead + kTail) == "");  // all else was in order
}

TEST_CASE("nothing may be given twice, and nothing needed left out") {
  const std::string Q = "in Q f32 float32 1 2 Q.f32\n", scale = "attr scale float 1\n";
  CHECK_THAT(refusal_of(kHead + Q + Q + kTail), Catch::Matchers::StartsWith("case.txt:3: "));
  CHECK_THAT(refusal_of(kHead + scale + scale + kTail),
             Catch::Matchers::StartsWith("case.txt:3: "));
  CHECK_THAT(refusal_of(kHead + kTail + "tol rtol 1\n"),
             Catch::Matchers::StartsWith("case.txt:5: "));
  CHECK_THAT(refusal_of(kHead + kTail + "out Y f32 float32 1 2 Y.f32\n"),
             Catch::Matchers::StartsWith("case.txt:5: "));
  CHECK_THAT(refusal_of("case a | suite b | suite c | op d\n" + kTail),
             Catch::Matchers::ContainsSubstring("twice"));
  CHECK_THAT(refusal_of("case a | suite b\n" + kTail), Catch::Matchers::ContainsSubstring("no op"));
  CHECK_THAT(refusal_of("case | op d\n" + kTail), Catch::Matchers::ContainsSubstring("no name"));
  CHECK_THAT(refusal_of("case a | op d | colour red\n" + kTail),
             Catch::Matchers::ContainsSubstring("'colour'"));
  CHECK_THAT(refusal_of(kTail), Catch::Matchers::ContainsSubstring("no case record"));
  CHECK_THAT(refusal_of(kHead + "tol rtol 1\n"), Catch::Matchers::ContainsSubstring("no output"));
  CHECK_THAT(refusal_of(kHead + "out Y f32 float32 1 2 Y.f32\n"),
             Catch::Matchers::ContainsSubstring("no tolerance"));
  CHECK(refusal_of("") != "");
  CHECK(refusal_of(std::string("\0\0\0", 3)) != "");
}

TEST_CASE("a tensor file that is missing, of the wrong size or no file is refused") {
  const Folder folder("files");
  CHECK_THAT(folder.refusal(), Catch::Matchers::ContainsSubstring("case.txt is not a file"));
  folder.write("case.txt", kHead + kTail);
  CHECK_THAT(folder.refusal(),
             Catch::Matchers::ContainsSubstring("case.txt:2: Y.f32 is not a file"));
  folder.write("Y.f32", "1234567");
  CHECK_THAT(folder.refusal(),
             Catch::Matchers::ContainsSubstring("has 7 bytes; its shape asks for 8"));
  folder.write("Y.f32", "123456789");
  CHECK_THAT(folder.refusal(), Catch::Matchers::ContainsSubstring("has 9 bytes"));
  folder.write("Y.f32", "12345678");
  CHECK(folder.refusal() == "");
  folder.write("case.txt", kHead + "out Y f32 float32 1 2 .\ntol rtol 1\n");
  CHECK_THAT(folder.refusal(), Catch::Matchers::ContainsSubstring("is not a file"));
  // Two gigabytes are promised and eight bytes there: refused before memory is asked for.
  folder.write("case.txt", kHead + "out Y f32 float32 1 536870912 Y.f32\ntol rtol 1\n");
  CHECK_THAT(folder.refusal(), Catch::Matchers::ContainsSubstring("asks for 2147483648"));
  folder.write("case.txt", std::string((1 << 20) + 1, '\n'));
  CHECK_THAT(folder.refusal(), Catch::Matchers::ContainsSubstring("more than"));
}
