#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one violation of each kind and asks that the static checks report it, and nothing in a clean tree.

usage: self_test.py CXX_COMPILER
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
SPDX = "// SPDX-License-Identifier: BSD-3-Clause\n"
COMPILER = "c++"


class Tree(unittest.TestCase):
    """A scratch project with one header, one source and the top level of the real one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="static checks ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("include/ricochet/core/one.hpp", "#pragma once\nint one();\n")
        self.write("src/core/one.cpp", '#include "ricochet/core/one.hpp"\n\nint one() { return 1; }\n')
        for name in ("inputs", "jobs", "tests"):
            (self.root / name).mkdir()
        for name in ("CMakeLists.txt", "README.md", "LICENSE"):
            (self.root / name).write_text("")
        for name in (".clang-format", ".clang-tidy"):
            shutil.copy(PROJECT / name, self.root)

    def write(self, name, text, spdx=SPDX):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(spdx + text)

    def run_check(self, check, *arguments):
        run = subprocess.run([sys.executable, str(HERE / f"{check}.py"), str(self.root), *arguments],
                             capture_output=True, text=True)
        output = run.stdout + run.stderr
        if run.returncode == 77:
            self.skipTest(output)
        return run.returncode, output

    def assert_clean(self, check, *arguments):
        status, output = self.run_check(check, *arguments)
        self.assertEqual(status, 0, output)

    def assert_reported(self, what, check, *arguments):
        status, output = self.run_check(check, *arguments)
        self.assertEqual(status, 1, output)
        self.assertIn(what, output)


class Layering(Tree):
    """core < search < engine; search and dynamics stand side by side; mpi and hdf5 have libraries of their own."""

    ROOMS = ("ricochet_add_room(core)\nricochet_add_room(search ROOMS core LIBRARIES hwy::hwy)\n"
             "ricochet_add_room(dynamics ROOMS core)\nricochet_add_room(engine ROOMS core search)\n"
             "ricochet_add_room(mpi ROOMS core)\nricochet_add_room(hdf5 ROOMS core)\n"
             "ricochet_add_room(app ROOMS core)\n")

    def setUp(self):
        super().setUp()
        self.declare(self.ROOMS)
        for room in ("search", "dynamics", "engine", "mpi", "hdf5", "app"):
            self.write(f"src/{room}/first.cpp", '#include "ricochet/core/one.hpp"\n')
        self.write("src/engine/second.cpp", '#include "search/cells.hpp"\n')

    def declare(self, rooms):
        (self.root / "src/CMakeLists.txt").write_text(rooms)

    def plant(self, room, include):
        self.write(f"src/{room}/planted.cpp", f"#include {include}\n")

    def test_accepts_what_points_down(self):
        self.plant("engine", '"ricochet/search/search.hpp"')
        self.write("src/mpi/file.cpp", '#include <mpi.h>\n')
        self.write("src/hdf5/file.cpp", '#include <hdf5.h>\n')
        self.write("src/app/main.cpp", '#include <boost/mpi/environment.hpp>\n#include <CLI/CLI.hpp>\n')
        self.assert_clean("layering")

    def test_reports_upward(self):
        self.plant("search", '"ricochet/engine/step.hpp"')
        self.assert_reported("src/search/planted.cpp:2: search includes ricochet/engine/step.hpp", "layering")

    def test_reports_siblings(self):
        for room, other in (("hdf5", "mpi"), ("mpi", "hdf5"), ("search", "dynamics")):
            with self.subTest(room=room):
                self.plant(room, f'"ricochet/{other}/x.hpp"')
                self.assert_reported(f"{room} includes ricochet/{other}/x.hpp", "layering")

    def test_reports_private_headers_and_dots(self):
        self.plant("core", '"engine/islands.hpp"')
        self.assert_reported("core includes engine/islands.hpp", "layering")
        self.plant("core", '"../engine/islands.hpp"')
        self.assert_reported("not with ..", "layering")

    def test_reports_outside_headers(self):
        for room, header in (("engine", "<mpi.h>"), ("engine", "<boost/mpi/communicator.hpp>"), ("mpi", "<hdf5.h>"),
                             ("hdf5", "<mpi.h>"), ("app", "<boost/mpi/environment.hpp>"),
                             ("engine", "<H5Ppublic.h>"), ("mpi", "<yaml-cpp/yaml.h>"), ("hdf5", "<CLI/CLI.hpp>")):
            with self.subTest(header=header):
                self.plant(room, header)
                self.assert_reported(f"{room} includes {header[1:-1]}", "layering")
                (self.root / f"src/{room}/planted.cpp").unlink()

    def test_reports_unknown_rooms(self):
        self.write("src/misc/x.cpp", "")
        self.assert_reported("not in a known room", "layering")

    def test_reports_rooms_in_the_wrong_order(self):
        self.declare("ricochet_add_room(engine ROOMS core)\n" + self.ROOMS.replace("ricochet_add_room(engine", "#("))
        self.assert_reported("engine leans on core, which must stand before it", "layering")

    def test_reports_a_table_of_rooms_that_differs(self):
        rows = [("core", "–"), ("search", "core"), ("dynamics", "core"), ("engine", "core, search"), ("mpi", "core"),
                ("hdf5", "core"), ("app", "core")]
        table = "".join(f"| `{room}` | what | {below} |\n" for room, below in rows)
        document = self.root / "src/README.md"
        document.write_text(table)
        self.assert_clean("layering")
        document.write_text(table.replace("core, search", "core"))
        self.assert_reported("in its table engine must lean on: core, search", "layering")
        document.write_text(table + "| `misc` | what | core |\n")
        self.assert_reported("its table has a room misc", "layering")

    def test_reports_too_many_rooms_below(self):
        names = [f"room{k}" for k in range(6)]
        self.declare("".join(f"ricochet_add_room({name})\n" for name in names) + self.ROOMS.replace(
            "engine ROOMS core search", f"engine ROOMS {' '.join(names)}"))
        self.assert_reported("engine leans on 6 rooms", "layering")

    def test_reports_what_is_allowed_in_vain(self):
        self.declare(self.ROOMS.replace("dynamics ROOMS core", "dynamics ROOMS core search"))
        self.assert_reported("dynamics may include search, but does not", "layering")


class Links(Tree):
    def document(self, text):
        (self.root / "README.md").write_text(text)

    def test_accepts_files_headings_and_addresses(self):
        self.document("# One *and* two\n[a](src/core/one.cpp) [b](#one-and-two) [c](https://example.org/x)\n`src/core`\n"
                      "```sh\nsrc/core/o*\n[x](nowhere)\n```\n")
        self.assert_clean("links")

    def test_reports_what_is_not_there(self):
        for text, problem in (("[a](src/core/two.cpp)", "links to src/core/two.cpp, which is not there"),
                              ("![a](picture.png)", "links to picture.png, which is not there"),
                              ("# One\n[a](#two)", "links to #two, and README.md has no such heading"),
                              ("run `jobs/none.sh`", "names jobs/none.sh, which is not there"),
                              ("x" * 6001, "README.md: 6001 bytes")):
            with self.subTest(text=text[:20]):
                self.document(text)
                self.assert_reported(problem, "links")


class Layout(Tree):
    def test_reports_names_of_types_and_of_compilers(self):
        self.write("src/core/one.cpp", "struct Two {};\nauto pages = sysconf(_SC_PAGESIZE);\n")
        self.assert_clean("layout")
        self.write("src/core/one.cpp", "struct two_words {};\nint _Three;\nint four__five;\n")
        for problem in ("2: the type two_words is not named LikeThis", "3: the name _Three is reserved",
                        "4: the name four__five is reserved"):
            self.assert_reported("one.cpp:" + problem, "layout")

    def test_accepts_the_house_layout(self):
        self.assert_clean("layout")

    def test_reports_top_level(self):
        (self.root / "docs").mkdir()
        self.assert_reported("docs: does not belong", "layout")

    def test_reports_names_in_two_unnamed_namespaces(self):
        text = "namespace {\nint NAME(int k) { return k; }\n}  // namespace\n"
        for name in ("one", "two"):
            self.write(f"src/core/{name}.cpp", text.replace("NAME", name))
        self.assert_clean("layout")
        self.write("src/core/two.cpp", text.replace("NAME", "one"))
        self.assert_reported("two.cpp: its unnamed namespace declares one", "layout")
        self.write("src/core/two.cpp", text.replace("int NAME(int k) { return k; }", "struct Two {};"))
        self.assert_clean("layout")
        self.write("src/core/three.hpp", "#pragma once\nstruct Two {};\n")
        self.assert_reported("two.cpp: its unnamed namespace declares Two, as that of three.hpp does", "layout")

    def test_reports_long_lines(self):
        self.write("src/core/one.cpp", "// " + 117 * "w" + "\n")
        self.assert_clean("layout")
        self.write("src/core/one.cpp", "int one();\n// " + 118 * "w" + "\n")
        self.assert_reported("one.cpp:3: 121 characters, at most 120 are allowed", "layout")

    def test_reports_calls_beside_the_door(self):
        self.write("src/files/system_calls.cpp", "int sync(int file) { return ::fsync(file); }\n")
        self.write("src/core/one.cpp", "void one() { calls.fsync(1); list.unlink(2); set::rename(3); }\n")
        self.assert_clean("layout")
        for call in ("fsync(1)", "::unlink(path)", "std::ofstream file(path)", "fs::remove(path)"):
            self.write("src/core/one.cpp", f"void one() {{ {call}; }}\n")
            self.assert_reported("one.cpp:2: a call of the system on files", "layout")

    def test_reports_missing(self):
        (self.root / "README.md").unlink()
        self.assert_reported("README.md: missing", "layout")

    def test_honours_gitignore_in_a_clone(self):
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        for name in ("inputs", "jobs", "tests"):
            (self.root / name / "x").write_text("")
        (self.root / ".gitignore").write_text("scratch/\n")
        (self.root / "scratch").mkdir()
        (self.root / "scratch" / "x").write_text("")
        self.assert_clean("layout")
        (self.root / "stray.txt").write_text("")
        self.assert_reported("stray.txt: does not belong", "layout")

    def test_reports_sources(self):
        self.write("src/core/two.cpp", "int two();\n", spdx="")
        self.assert_reported("two.cpp:1: the first line must be", "layout")
        self.write("src/core/two.cpp", "// line\n" * 700)
        self.assert_reported("701 lines", "layout")
        self.write("src/core/two.cpp", "// line\n" * 450)
        self.assert_reported("more than 5 %", "layout")

    def test_reports_missing_pragma_once(self):
        self.write("include/ricochet/core/two.hpp", "int two();\n")
        self.assert_reported("two.hpp:1: no #pragma once", "layout")

    def test_reports_what_is_included_twice(self):
        self.write("src/core/two.cpp", "#include <vector>\n#include <array>\n")
        self.assert_clean("layout")
        self.write("src/core/two.cpp", "#include <vector>\n#include <array>\n#include <vector>\n")
        self.assert_reported("two.cpp: #include <vector> stands there twice", "layout")

    def test_reports_long_test_names(self):
        case = "Is" + "Long" * 10
        self.write("tests/unit/two_test.cpp", f"TEST(Ray, {case}) {{}}\n")
        self.assert_reported(f"two_test.cpp:2: Ray.{case} has 46 characters", "layout")
        self.write("tests/unit/two_test.cpp", f"TEST_P(Ra, {case}) {{}}\n")
        self.assert_clean("layout")
        case = "test_" + "is" * 20
        self.write("tests/system/two.py", f"    def {case}_(self):\n        pass\n")
        self.assert_reported(f"two.py:2: {case}_ has 46 characters", "layout")
        self.write("tests/system/two.py", f"    def {case}(self):\n        pass\n")
        self.assert_clean("layout")


class Format(Tree):
    def test_accepts_formatted(self):
        self.assert_clean("format")

    def test_reports_unformatted(self):
        self.write("src/core/two.cpp", "int  two( ){return 2;}\n")
        self.assert_reported("two.cpp:2", "format")


class Sentences(Tree):
    LONG = "The " + "very " * 24 + "end."

    def comment(self, *lines):
        self.write("src/core/one.cpp", "\n" + "".join(f"{line}\n" for line in lines))

    def test_accepts_short_sentences(self):
        half = "very " * 12
        self.comment(f"// The {half}end.", f"// The {half}end of a table:", f"//   one   {half}", f"//   two   {half}", "//",
                     f"// {half}", "int two();", f"// {half}", f'const char* url = "http://{half * 3}";')
        self.assert_clean("sentences")

    def test_reports_long_sentences(self):
        words = self.LONG.split()
        for lines in ([f"// {self.LONG}"], [f"int two();  ///< {self.LONG}"], [f"    /// A word. {self.LONG}"],
                      ["// " + " ".join(words[:9]), "// " + " ".join(words[9:])]):
            with self.subTest(lines=lines):
                self.comment(*lines)
                self.assert_reported("one.cpp:3: 26 words", "sentences")

    def test_accepts_names_of_the_program(self):
        self.comment("// The slot, or `nobody`.", "constexpr int nobody = 0;", 'const char* text = "so many";')
        self.assert_clean("sentences")

    def test_reports_persons_and_numbers_unsaid(self):
        for word, lines in (("nobody", ["// A slot that nobody has."]), ("Whoever", ["int two();  ///< Whoever asks."]),
                            ("so many", ["/// A step takes so", "/// many rounds."])):
            with self.subTest(word=word):
                self.comment(*lines)
                self.assert_reported(f"one.cpp:3: '{word}': ", "sentences")


class Scripts(Tree):
    def shell(self, text, spdx="#!/usr/bin/env bash\n# SPDX-License-Identifier: BSD-3-Clause\n"):
        self.write("jobs/one.sh", text, spdx)

    def test_accepts_clean(self):
        self.shell('echo "$@"\n')
        self.write("jobs/one.py", "print(1)\n", "# SPDX-License-Identifier: BSD-3-Clause\n")
        self.assert_clean("scripts")

    def test_reports_shell(self):
        self.shell("if true; then\n")
        self.assert_reported("one.sh: line", "scripts")
        self.shell('rm -rf "$1"/*; cd $2\n')
        self.assert_reported("[SC2086]", "scripts")

    def test_reports_python(self):
        self.write("jobs/one.py", "def f(:\n", "# SPDX-License-Identifier: BSD-3-Clause\n")
        self.assert_reported("one.py:2: ", "scripts")

    def test_reports_heads(self):
        self.shell("true\n", spdx="#!/usr/bin/env bash\n")
        self.assert_reported("one.sh:1: the first line", "scripts")


class Tidy(Tree):
    def tidy(self, text):
        self.write("src/core/two.cpp", text)
        commands = [{"directory": str(self.root), "file": f"src/core/{name}.cpp",
                     "arguments": [COMPILER, "-std=c++20", "-Iinclude", "-c", f"src/core/{name}.cpp"]}
                    for name in ("one", "two")]
        (self.root / "compile_commands.json").write_text(json.dumps(commands))
        return str(self.root)

    def test_accepts_clean(self):
        self.assert_clean("tidy", self.tidy("int two() { return 2; }\n"))

    def test_reports_long_functions(self):
        body = "".join(f"    x += {k};\n" for k in range(82))
        build = self.tidy("int two(int x) {\n" + body + "    return x;\n}\n")
        self.assert_reported("readability-function-size", "tidy", build)

    def test_reports_bugs(self):
        build = self.tidy("#include <string>\n#include <utility>\nvoid take(std::string);\n"
                          "auto two(std::string s) {\n    take(std::move(s));\n    return s.size();\n}\n")
        self.assert_reported("bugprone-use-after-move", "tidy", build)

    def test_sources_read_together_find_the_same(self):
        """Reports what is looked for in the main file alone. Sources are read together: what clang-tidy would not
        look for in an included file must be found too."""
        for what, text in (("core.NullDereference", "int two(int k) {\n    int* p = nullptr;\n"
                                                    "    return k > 3 ? *p : 0;\n}\n"),
                           ("misc-unused-using-decls", "#include <utility>\nusing std::swap;\n")):
            with self.subTest(what=what):
                self.assert_reported(what, "tidy", self.tidy(text))


class SelfContainment(Tree):
    """Headers that lack an include: alone, and behind one that many others include, which is precompiled."""

    def setUp(self):
        super().setUp()
        commands = [{"directory": str(self.root), "file": str(self.root / "src/core/one.cpp"),
                     "arguments": [COMPILER, "-std=c++20", f"-I{self.root}/include", f"-I{self.root}/src", "-c",
                                   str(self.root / "src/core/one.cpp")]}]
        (self.root / "compile_commands.json").write_text(json.dumps(commands))
        for k in range(10):
            self.write(f"src/core/many_{k}.hpp", '#pragma once\n#include "ricochet/core/one.hpp"\nint many();\n')

    def assert_found(self, header):
        self.assert_reported(f"{header} does not compile by itself", "headers", str(self.root))

    def test_accepts_complete_headers(self):
        self.write("src/core/user.hpp", '#pragma once\n#include "core/many_1.hpp"\n'
                                        "inline int two() { return one(); }\n")
        self.assert_clean("headers", str(self.root))

    def test_reports_public_headers(self):
        self.write("include/ricochet/core/two.hpp", "#pragma once\nstd::string two();\n")
        self.assert_found("ricochet/core/two.hpp")

    def test_reports_private_headers(self):
        self.write("src/core/private.hpp", "#pragma once\nstd::string secret();\n")
        self.assert_found("core/private.hpp")

    def test_reports_what_is_precompiled(self):
        self.write("include/ricochet/core/one.hpp", "#pragma once\nstd::string one();\n")
        self.assert_found("ricochet/core/one.hpp")

    def test_reports_headers_behind_precompiled_ones(self):
        self.write("src/core/many_3.hpp", '#pragma once\n#include "ricochet/core/one.hpp"\nstd::string many();\n')
        self.assert_found("core/many_3.hpp")

    def test_reports_names_from_includes_of_others(self):
        self.write("src/core/user.hpp", "#pragma once\ninline int two() { return one(); }\n")
        self.assert_found("core/user.hpp")

    def test_reports_headers_before_others_of_a_chain(self):
        self.write("src/core/inner.hpp", "#pragma once\nstd::string inner();\n")
        self.write("src/core/user.hpp", '#pragma once\n#include <string>\n#include "core/inner.hpp"\n')
        self.assert_found("core/inner.hpp")

    def test_reports_headers_behind_others_of_a_chain(self):
        self.write("src/core/inner.hpp", "#pragma once\nint inner();\n")
        self.write("src/core/user.hpp", '#pragma once\n#include "core/inner.hpp"\nstd::string user();\n')
        self.assert_found("core/user.hpp")

    def test_reports_includes_under_conditions(self):
        self.write("src/core/user.hpp", '#pragma once\n#if 0\n#include "ricochet/core/one.hpp"\n#endif\n'
                                        "inline int two() { return one(); }\n")
        self.assert_found("core/user.hpp")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    COMPILER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
