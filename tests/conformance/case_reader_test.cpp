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
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const std::string kHead = "case small | suite own | op Attention | categories plain,tiny\n";
const std::string kTail = "out Y f32 float32 1 2 Y.f32\ntol rtol 1e-5\ntol atol 1e-6\n";

// The sentence that `read` is refused with, or nothing.
template <class Read>
std::string refusal_of(const Read& read) {
  try {
    read();
    return {};
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

std::string refusal_of(const std::string& text) {
  const auto zeros = [](const std::string&, std::uint64_t size) { return Bytes(size); };
  Case parsed;
  return refusal_of([&] { parse_case(text, "case.txt", zeros, parsed); });
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
    return refusal_of([&] {
      Case read;
      read_case(path, read);
    });
  }
  const fs::path path;
};

// A safetensors file.
std::string pack(std::string header, const std::string& data) {
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(std::uint64_t{header.size()} >> 8 * i);
  return length + header + data;
}

std::vector<Case> parse(const std::string& file) {
  return parse_pack(std::as_bytes(std::span(file.data(), file.size())), "own.safetensors");
}

std::string pack_refusal(const std::string& file) {
  return refusal_of([&] { parse(file); });
}

std::string with_metadata(const std::string& metadata, const std::string& tensors) {
  return std::string("{\"__metadata__\":{").append(metadata) + "}" + tensors + "}";
}

const std::string kAbout = R"("small":"{\"op\":\"Gelu\",\"rtol\":1e-5,\"atol\":0}")";
const std::string kY = R"(,"small/out/Y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
const std::string kNumbers("\x00\x00\x80\x3f\x00\x00\x80\xff", 8);  // 1, -infinity

}  // namespace

TEST_CASE("a case in a folder is read with its attributes, tensors and tolerances") {
  const Folder folder("whole");
  folder.write("case.txt", kHead +
                               "attr is_causal int -1\nattr scale float 2.5e-1\n"
                               "attr causal_align str top_left\r\n\n"
                               "in Q q8 float16 2 1 2 Q.q8\nin mask u8 bool 1 2 m.u8\n"
                               "in none f32 float32 2 0 7 none.f32\n"
                               "in n i64 int64 0 n.i64\nin half f32 float32 1 1 half.q8\n"
                               "out Y f32 float32 1 2 ../case_reader_other/Y.f32\n"
                               "tol rtol 1e-5   tol atol 1e-6\n");
  folder.write("Q.q8", std::string("\x80\x01", 2));
  folder.write("m.u8", std::string("\x01\x00", 2));
  folder.write("none.f32", "");
  folder.write("n.i64", std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8));
  folder.write("half.q8", "\x40");
  const Folder other("other");
  other.write("Y.f32", kNumbers);

  Case read;
  CHECK_NOTHROW(read_case(folder.path, read));
  CHECK(read.name == "small");
  CHECK(read.suite == "own");
  CHECK(read.op == "Attention");
  CHECK(read.categories == "plain,tiny");
  CHECK(std::get<std::int64_t>(read.attribute("is_causal")->value) == -1);
  CHECK(std::get<double>(read.attribute("scale")->value) == 0.25);
  CHECK(std::get<std::string>(read.attribute("causal_align")->value) == "top_left");
  CHECK(read.rtol == 1e-5);
  CHECK(read.atol == 1e-6);
  REQUIRE(read.inputs.size() == 5);
  CHECK(read.input("Q")->dims == std::vector<std::size_t>{1, 2});
  CHECK(read.input("Q")->at(0) == -0.125);
  CHECK(read.input("Q")->at(1) == 1.0 / 1024);
  CHECK(read.input("mask")->at(0) == 1);
  CHECK(read.input("none")->count == 0);
  CHECK(read.input("n")->at(0) == -1);
  CHECK(read.input("half")->at(0) == 0.0625);
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
      Bad{"in Q F32 float32 1 2 Q.f32", "type is f32"}, Bad{"in Q f32 float32", "integer"},
      Bad{"in Q f32 float32 x 2 Q.f32", "integer"},
      Bad{"in Q f32 float32 9 1 1 1 1 1 1 1 1 1 Q.f32", "rank"},
      Bad{"in Q f32 float32 -1 Q.f32", "rank"}, Bad{"in Q f32 float32 2 2 -3 Q.f32", "extent"},
      Bad{"in Q f32 float32 2 2 3.5 Q.f32", "integer"}, Bad{"in Q f32 float32 2 2", "integer"},
      Bad{"in Q f32 float32 1 " + huge + " Q.f32", "integer"},
      Bad{"in Q f32 float32 1 2", "a tensor is"},
      Bad{"in Q f32 float32 1 536870913 Q.f32", "larger"},
      Bad{"in Q f32 float32 2 65536 65536 Q.f32", "larger"},
      Bad{"in Q f32 float32 3 65536 0 65536 Q.f32", "larger"},
      Bad{"in Q q8 float32 1 536870913 Q.q8", "larger"},
      Bad{"in Q f32 float32 1 2 Q.i64", "its file .i64"},
      Bad{"attr scale float 1,5", "finite number"}, Bad{"attr scale float nan", "finite number"},
      Bad{"attr scale float 1e999", "finite number"}, Bad{"attr is_causal int 1.0", "integer"},
      Bad{"attr is_causal int " + huge, "integer"},
      Bad{"attr is_causal bool 1", "int, float or str"},
      Bad{"attr is_causal int", "an attribute is"}, Bad{"attr", "an attribute is"},
      Bad{"tol", "a tolerance is"}, Bad{"tol rtol", "not a finite number"},
      Bad{"tol rtol -1", "0 or more"}, Bad{"tol atol inf", "not a finite number"},
      Bad{"tol close 1", "rtol or atol"});
  CAPTURE(bad.record);
  const std::string sentence = refusal_of(kHead + bad.record + "\n" + kTail);
  CHECK_THAT(sentence, StartsWith("case.txt:2: ") && ContainsSubstring(bad.reason));
  CHECK(refusal_of(kHead + kTail) == "");  // all else was in order
}

TEST_CASE("nothing may be given twice, and nothing needed left out") {
  const std::string Q = "in Q f32 float32 1 2 Q.f32\n", scale = "attr scale float 1\n";
  CHECK_THAT(refusal_of(kHead + Q + Q + kTail), StartsWith("case.txt:3: "));
  CHECK_THAT(refusal_of(kHead + scale + scale + kTail), StartsWith("case.txt:3: "));
  CHECK_THAT(refusal_of(kHead + kTail + "tol rtol 1\n"), StartsWith("case.txt:5: "));
  CHECK_THAT(refusal_of(kHead + kTail + "out Y f32 float32 1 2 Y.f32\n"),
             StartsWith("case.txt:5: "));
  CHECK_THAT(refusal_of("case a | suite b | suite c | op d\n" + kTail), ContainsSubstring("twice"));
  CHECK_THAT(refusal_of("case a | suite b\n" + kTail), ContainsSubstring("no op"));
  CHECK_THAT(refusal_of("case | op d\n" + kTail), ContainsSubstring("no name"));
  CHECK_THAT(refusal_of("case a | op d | colour red\n" + kTail), ContainsSubstring("'colour'"));
  CHECK_THAT(refusal_of(kTail), ContainsSubstring("no case record"));
  CHECK_THAT(refusal_of(kHead + "tol rtol 1\n"), ContainsSubstring("no output"));
  CHECK_THAT(refusal_of(kHead + "out Y f32 float32 1 2 Y.f32\n"),
             ContainsSubstring("no tolerance"));
  CHECK(refusal_of(std::string()) != "");
  CHECK(refusal_of(std::string("\0\0\0", 3)) != "");
}

TEST_CASE("a tensor file that is missing, of the wrong size or no file is refused") {
  const Folder folder("files");
  CHECK_THAT(folder.refusal(), ContainsSubstring("case.txt is not a file"));
  folder.write("case.txt", kHead + kTail);
  CHECK_THAT(folder.refusal(), ContainsSubstring("case.txt:2: Y.f32 is not a file"));
  folder.write("Y.f32", "1234567");
  CHECK_THAT(folder.refusal(), ContainsSubstring("has 7 bytes; its shape asks for 8"));
  folder.write("Y.f32", "123456789");
  CHECK_THAT(folder.refusal(), ContainsSubstring("has 9 bytes"));
  folder.write("Y.f32", "12345678");
  CHECK(folder.refusal() == "");
  folder.write("case.txt", kHead + "out Y f32 float32 1 2 .\ntol rtol 1\n");
  CHECK_THAT(folder.refusal(), ContainsSubstring("is not a file"));
  // Two gigabytes are promised and eight bytes there: refused before memory is asked for.
  folder.write("case.txt", kHead + "out Y f32 float32 1 536870912 Y.f32\ntol rtol 1\n");
  CHECK_THAT(folder.refusal(), ContainsSubstring("asks for 2147483648"));
  folder.write("case.txt", std::string((1 << 20) + 1, '\n'));
  CHECK_THAT(folder.refusal(), ContainsSubstring("more than"));
}

TEST_CASE("packed cases are read with their attributes, tensors and tolerances") {
  const std::string about = R"("a.1" : "{\"op\": \"Attention\", \"categories\": \"x,\\\"y\\\"\",
      \"attributes\": {\"n\": -3, \"scale\": 2.5e-1, \"one\": 1.0, \"align\": \"top_left\"},
      \"rtol\": 1e-5, \"atol\": 0}", )";
  std::string joined = about;  // no line feed may stand in a string
  std::erase(joined, '\n');
  const std::string tensors = R"(,
      "a.1/in/h0.q": {"dtype": "I8", "shape": [1, 2], "data_offsets": [24, 26]},
      "small/out/Y": {"dtype": "F32", "shape": [2], "data_offsets": [16, 24]},
      "a.1/in/mask": {"dtype": "BOOL", "shape": [], "data_offsets": [26, 27]},
      "a.1/in/none": {"dtype": "F64", "shape": [0, 7], "data_offsets": [27, 27]},
      "a.1/in/n": {"shape": [1], "dtype": "I64", "data_offsets": [0, 8]},
      "a.1/out/Y": {"data_offsets": [8, 16], "dtype": "F64", "shape": [1]})";
  const double half = 0.5;
  std::string data(8, '\xff');
  data.append(reinterpret_cast<const char*>(&half), 8).append(kNumbers).append("\x80\x01\x01", 3);
  const std::vector<Case> cases = parse(pack(with_metadata(joined + kAbout, tensors) + "  ", data));
  REQUIRE(cases.size() == 2);
  const Case& a = cases[0];
  CHECK(a.name == "a.1");
  CHECK(a.op == "Attention");
  CHECK(a.categories == "x,\"y\"");
  CHECK(std::get<std::int64_t>(a.attribute("n")->value) == -3);
  CHECK(std::get<double>(a.attribute("scale")->value) == 0.25);
  CHECK(std::get<double>(a.attribute("one")->value) == 1);
  CHECK(std::get<std::string>(a.attribute("align")->value) == "top_left");
  CHECK(a.rtol == 1e-5);
  CHECK(a.atol == 0);
  REQUIRE(a.inputs.size() == 4);
  CHECK(a.input("h0.q")->dims == std::vector<std::size_t>{1, 2});
  CHECK(a.input("h0.q")->at(0) == -0.125);
  CHECK(a.input("h0.q")->at(1) == 1.0 / 1024);
  CHECK(a.input("mask")->dims.empty());
  CHECK(a.input("mask")->at(0) == 1);
  CHECK(a.input("none")->count == 0);
  CHECK(a.input("n")->at(0) == -1);
  CHECK(a.output("Y")->at(0) == 0.5);
  CHECK(cases[1].name == "small");
  CHECK(cases[1].output("Y")->at(0) == 1);
  CHECK(cases[1].output("Y")->at(1) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a pack that is cut off, or whose header has another length, is refused") {
  const std::string whole = pack(with_metadata(kAbout, kY), kNumbers);
  REQUIRE(pack_refusal(whole) == "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(pack_refusal(whole.substr(0, size)), StartsWith("own.safetensors: "));
  }
  CHECK_THAT(pack_refusal(whole + '\0'), ContainsSubstring("take 8 bytes, and 9 follow"));
  for (const std::size_t byte : {1, 2, 3, 4, 7}) {  // lengths from 256 bytes to 2^63
    std::string longer = whole;
    longer[byte] = '\x7f';
    CHECK_THAT(pack_refusal(longer), ContainsSubstring("has a header of"));
  }
  const std::string blank((1 << 22) + 1, ' ');
  CHECK_THAT(pack_refusal(pack(with_metadata(kAbout, kY) + blank, kNumbers)),
             ContainsSubstring("and 4194304 can be read"));
}

TEST_CASE("a broken tensor of a pack is refused with its name and the reason") {
  struct Bad {
    std::string entry, reason;
  };
  const std::string deep(100000, '['), nested(100000, '{');
  const auto bad = GENERATE_COPY(
      Bad{R"({"dtype":"F16","shape":[4],"data_offsets":[8,16]})", "a dtype is F32"},
      Bad{R"({"dtype":"f32","shape":[2],"data_offsets":[8,16]})", "a dtype is F32"},
      Bad{R"({"dtype":32,"shape":[2],"data_offsets":[8,16]})", "'dtype' is a string"},
      Bad{R"({"dtype":"F32","shape":[3],"data_offsets":[8,16]})", "8 bytes; its shape asks for 12"},
      Bad{R"({"dtype":"F32","shape":[1],"data_offsets":[8,16]})", "8 bytes; its shape asks for 4"},
      Bad{R"({"dtype":"F32","shape":[-2],"data_offsets":[8,16]})", "0 or more"},
      Bad{R"({"dtype":"F32","shape":[2.0],"data_offsets":[8,16]})", "an integer"},
      Bad{R"({"dtype":"F32","shape":["2"],"data_offsets":[8,16]})", "an integer"},
      Bad{R"({"dtype":"F32","shape":[65536,65536,65536,65536],"data_offsets":[8,16]})", "larger"},
      Bad{R"({"dtype":"F32","shape":[65536,0,65536],"data_offsets":[8,8]})", "larger"},
      Bad{R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[8,16]})", "8 axes"},
      Bad{R"({"dtype":"F32","shape":[99999999999999999999],"data_offsets":[8,16]})", "64 bits"},
      Bad{R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})", "0 or more"},
      Bad{R"({"dtype":"F32","shape":[2],"data_offsets":[8]})", "two data_offsets"},
      Bad{R"({"dtype":"F32","shape":[2],"data_offsets":[8,16,16]})", "two data_offsets"},
      Bad{R"({"dtype":"F32","shape":[2],"data_offsets":[16,8]})", "in order"},
      Bad{R"({"dtype":"F32","shape":[2]})", "two data_offsets"},
      Bad{R"({"shape":[2],"data_offsets":[8,16]})", "needs a dtype"},
      Bad{R"({"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[8,16]})", "given twice"},
      Bad{R"({"dtype":"F32","shape":[2],"data_offsets":[8,16],"more":1})", "not 'more'"},
      Bad{R"([8,16])", "{ should stand"}, Bad{"null", "{ should stand"},
      Bad{R"({"dtype":"F32","shape":)" + deep, "integer"}, Bad{R"({"dtype":)" + nested, "integer"},
      Bad{nested, "\" should stand"});
  CAPTURE(bad.entry.substr(0, 80));
  const std::string sentence = pack_refusal(
      pack(with_metadata(kAbout, kY + ",\"small/in/X\":" + bad.entry), kNumbers + kNumbers));
  CHECK_THAT(sentence,
             StartsWith("own.safetensors: 'small/in/X': ") && ContainsSubstring(bad.reason));
  const std::string good = R"(,"small/in/X":{"dtype":"F32","shape":[2],"data_offsets":[8,16]})";
  CHECK(pack_refusal(pack(with_metadata(kAbout, kY + good), kNumbers + kNumbers)) == "");
}

TEST_CASE("tensors of a pack lie side by side, each in a case of its metadata") {
  const auto with = [](const std::string& name, const std::string& offsets) {
    return pack_refusal(pack(with_metadata(kAbout, kY + ",\"" + name +
                                                       R"(":{"dtype":"F32","shape":[2],)"
                                                       R"("data_offsets":)" +
                                                       offsets + "}"),
                             kNumbers + kNumbers));
  };
  CHECK(with("small/in/X", "[8,16]") == "");
  CHECK_THAT(with("small/in/X", "[0,8]"), ContainsSubstring("'small/in/X' begins at byte 0"));
  CHECK_THAT(with("small/in/X", "[4,12]"), ContainsSubstring("begins at byte 4"));
  CHECK_THAT(with("small/in/X", "[9,17]"), ContainsSubstring("begins at byte 9"));
  CHECK_THAT(with("small/in/X", "[16,24]"), ContainsSubstring("begins at byte 16"));
  CHECK_THAT(with("small/in/X", "[8,24]"), ContainsSubstring("its shape asks for 8"));
  CHECK_THAT(with("small/in/X", "[8,9223372036854775807]"), StartsWith("own.safetensors: "));
  for (const char* name : {"other/in/X", "small/X", "small/of/X", "smallin/X", "small", "in", "",
                           "/in/X", "small/in/in/X"}) {
    CAPTURE(name);
    CHECK_THAT(with(name, "[8,16]"), ContainsSubstring("CASE/in/NAME"));
  }
  CHECK_THAT(with("small/out/Y", "[8,16]"), ContainsSubstring("'small/out/Y' is given twice"));
  CHECK_THAT(pack_refusal(pack(with_metadata(kAbout, ""), "")), ContainsSubstring("no output"));
  CHECK_THAT(pack_refusal(pack(std::string("{").append(kY, 1, kY.npos) + "}", kNumbers)),
             ContainsSubstring("no cases"));
  CHECK_THAT(pack_refusal(pack("{}", "")), ContainsSubstring("no cases"));
}

TEST_CASE("what a pack says of a case is read strictly") {
  struct Bad {
    std::string about, reason;
  };
  const std::string nested(100000, '{');
  const auto bad = GENERATE_COPY(
      Bad{R"({"rtol":0,"atol":0})", "no op"}, Bad{R"({"op":"Gelu","rtol":0})", "rtol and atol"},
      Bad{R"({"op":"Gelu","rtol":-1,"atol":0})", "0 or more"},
      Bad{R"({"op":"Gelu","rtol":1e999,"atol":0})", "finite"},
      Bad{R"({"op":"Gelu","rtol":"0","atol":0})", "0 or more"},
      Bad{R"({"op":"Gelu","rtol":nan,"atol":0})", "integer"},
      Bad{R"({"op":"Gelu","op":"Gelu","rtol":0,"atol":0})", "'op' is given twice"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"colour":0})", "not 'colour'"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"attributes":{"a":1,"a":2}})", "'a' is given twice"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"attributes":{"a":[1]}})", "integer"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"attributes":{"a":true}})", "integer"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"attributes":{"a":99999999999999999999}})", "64 bits"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,"attributes":{"a":)" + nested, "integer"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0} x)", "something follows"},
      Bad{R"({"op":"Gelu","rtol":0,"atol":0,})", "\" should stand"},
      Bad{R"({"op":"Gelu","rtol":0 "atol":0})", ", should stand"},
      Bad{R"({"op":"\u0047elu","rtol":0,"atol":0})", "an escape"},
      Bad{R"({"op":"Gelu)", "broken off"}, Bad{R"({"op":"Gelu\)", "an escape"}, Bad{"", "{ should"},
      Bad{nested, "\" should stand"});
  CAPTURE(bad.about.substr(0, 80));
  std::string escaped;
  for (const char c : bad.about) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  CHECK_THAT(pack_refusal(pack(with_metadata("\"small\":\"" + escaped + "\"", kY), kNumbers)),
             StartsWith("own.safetensors: 'small': ") && ContainsSubstring(bad.reason));
  CHECK_THAT(pack_refusal(pack(with_metadata(kAbout + "," + kAbout, kY), kNumbers)),
             ContainsSubstring("'small' is given twice"));
  CHECK_THAT(pack_refusal(pack(with_metadata("\"small\":{}", kY), kNumbers)),
             ContainsSubstring("\" should stand before '{}"));
  CHECK_THAT(pack_refusal(pack(with_metadata("\"small\n\":\"\"", kY), kNumbers)),
             ContainsSubstring("broken off"));
}

TEST_CASE("a pack that is missing, or no file, is refused") {
  const Folder folder("packs");
  const auto refusal = [&](const char* name) {
    return refusal_of([&] { read_pack(folder.path / name); });
  };
  CHECK_THAT(refusal("none.safetensors"), ContainsSubstring("none.safetensors is not a file"));
  CHECK_THAT(refusal("."), ContainsSubstring("is not a file"));
  folder.write("own.safetensors", pack(with_metadata(kAbout, kY), kNumbers));
  CHECK(refusal("own.safetensors") == "");
}
