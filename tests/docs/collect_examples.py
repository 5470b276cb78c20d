"""Makes one C++ program of all ```cpp blocks of some pages: a function for each, in the pages' order. Errors of the
compiler name page and line. Arguments: the program to write, the pages."""

import pathlib
import re
import sys

HEAD = """// Made from the pages of docs/library by collect_examples.py.
#undef NDEBUG
#include <cassert>
#include <cmath>
#include <cstdio>
#include <string>
"""


def blocks(page):
    """(first line number, text) of each block."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```cpp\n(.*?)^```$", text, re.S | re.M):
        yield text.count("\n", 0, block.start()) + 2, block[1]


def main(output, pages):
    includes, functions, names = [], [], []
    for page in map(pathlib.Path, pages):
        for first, block in blocks(page):
            name = f"{page.stem.replace('-', '_')}_{first}"
            names.append(name)
            lines = block.splitlines()
            includes += [line for line in lines if line.startswith("#include")]
            body = "\n".join("" if line.startswith("#include") else line for line in lines)
            functions.append(f'void {name}() {{\n#line {first} "{page}"\n{body}\n}}\n')
    assert names, "no examples found"
    calls = "".join(f'    std::puts("{name}");\n    {name}();\n' for name in names)
    pathlib.Path(output).write_text(
        HEAD + "\n".join(sorted(set(includes))) + "\n\nusing namespace poisson3d;\n\nnamespace {\n\n"
        + "\n".join(functions) + "\n}  // namespace\n\nint main() {\n" + calls + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
