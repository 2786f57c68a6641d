#!/usr/bin/env bash
# Makes pages of the manual with mdBook, in target/manual or in the folder that is named, and says which links in them lead nowhere.
set -euo pipefail
cd "$(dirname "$0")/.."
pages=$(realpath -m "${1:-target/manual}")
rm -rf "$pages"
# Most mistakes are warnings to mdBook.
if ! said=$(RUST_LOG=warn mdbook build book -d "$pages" 2>&1) || [ -n "$said" ]; then
    echo "book/build.sh: mdBook complains: $said" >&2
    exit 1
fi
# Documents beside the book are no pages of it, but every link to one becomes one to a page.
for page in "$pages"/*.html; do
    sed -i -E "s#href=\"\.\./\.\./([A-Z]+)\.html#href=\"$(realpath --relative-to="$pages" .)/\1.md#g" "$page"
done
python3 - "$pages" <<'PYTHON'
import html, pathlib, re, sys

pages = pathlib.Path(sys.argv[1])
texts = {page.name: page.read_text() for page in pages.glob("*.html")}
ids = {name: set(re.findall(r'\bid="([^"]+)"', text)) for name, text in texts.items()}


def sections(target):
    """The ids of a page, or of a document beside the book, whose headings have them as GitHub makes them."""
    if target not in ids:
        headings = re.findall(r"^#+ (.*)$", (pages / target).read_text(), re.M)
        ids[target] = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    return ids[target]


wrong, n = [], 0
for name, text in sorted(texts.items()):
    if name in ("404.html", "print.html", "toc.html"):
        continue
    body = re.search(r"<main>(.*?)</main>", text, re.S).group(1)
    for link in map(html.unescape, re.findall(r'\b(?:href|src)="([^"]+)"', body)):
        target, _, section = link.partition("#")
        target = target or name
        n += 1
        is_there = "://" in link or (pages / target).exists() and (not section or section in sections(target))
        if not is_there:
            wrong.append(f"{name}: {link}")
print(f"{len(texts)} pages, {n} links", *wrong, sep="\n")
sys.exit(1 if wrong or n < 80 else 0)
PYTHON
