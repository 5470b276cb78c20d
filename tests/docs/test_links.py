"""Every relative link of the pages leads to a file that is there, and to a heading that is there: test_links.py SOURCE"""

import pathlib
import re
import sys
import urllib.parse


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchor(heading):
    """What GitHub makes of a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    pages = [*source.glob("*.md"), *(source / "docs").rglob("*.md"), *(source / "transpose").rglob("*.md"),
             *(source / "data").rglob("*.md"), *(source / "app").rglob("*.md")]
    count, broken = 0, []
    for page in pages:
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, fragment = urllib.parse.unquote(target).partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                broken.append(f"{page.relative_to(source)}: {target} is not there")
            elif fragment and file.suffix == ".md" and fragment not in anchors(file):
                broken.append(f"{page.relative_to(source)}: {target} names no heading")
    print(f"{count} links of {len(pages)} pages", *broken, sep="\n")
    assert count > 100
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
