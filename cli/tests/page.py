#!/usr/bin/env python3
"""Tries a page of `jrace races`, `jrace report` or `jrace check` (`--html FILE`) in a headless Chromium, as a reader would, and takes pictures of it.

    pip install playwright; apt-get install chromium
    cli/tests/page.py PAGE [DIRECTORY-FOR-PICTURES]
    cli/tests/page.py --many JRACE      # makes a report of 10,000 findings and holds its page to a second

CI does not run this: `cargo test -p cli` looks at the structure of pages without a browser.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

NUMBER = 10_000


def opened(browser, page_path, width, scheme, **options):
    """The page in a window of a width, and what it asks for and complains of."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
    page = context.new_page()
    events = []
    page.on("request", lambda request: events.append(request.url))
    page.on("console", lambda message: events.append(message.text))
    page.on("pageerror", lambda error: events.append(str(error)))
    page.goto(page_path.as_uri())
    assert events == [page_path.as_uri()], events
    return page


def shown(page):
    return page.locator(".variable:visible").count()


def try_keyboard(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == page.get_attribute(".skip", "href")[1:]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    before = page.locator(".variable[open]").count()
    page.keyboard.press("Enter")
    assert page.locator(".variable[open]").count() == before - 1
    page.keyboard.press("Enter")
    focused = "document.activeElement.id"
    first = page.evaluate(focused)
    if shown(page) > 1:
        page.keyboard.press("j")
        assert page.evaluate(focused) != first
        page.keyboard.press("k")
        assert page.evaluate(focused) == first
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.type("jjk")
    assert page.input_value("[name=text]") == "jjk"
    page.click("[type=reset]")


def try_filters(page):
    everything = int(page.get_attribute("form", "data-number"))
    page.fill("[name=text]", "no such variable")
    assert shown(page) == 0 and page.locator(".group:visible").count() == 0 and page.locator(".whose:visible").count() == 0
    assert page.inner_text("output") == f"0 of {everything} " + page.get_attribute("form", "data-of")
    page.click("[type=reset]")
    page.wait_for_function("document.querySelector('output').textContent.startsWith(%d + ' of')" % everything)
    assert shown(page) == everything
    for name in page.eval_on_selector_all("select", "all => all.map(one => one.name)"):
        options = page.eval_on_selector_all(f"[name={name}] option", "all => all.map(one => [one.value, one.textContent])")
        numbers = []
        for value, text in options[1:]:
            page.select_option(f"[name={name}]", value)
            numbers.append(shown(page))
            if text.endswith(")") and "(" in text:
                assert numbers[-1] == int(text.rsplit("(")[1][:-1]), (text, numbers)
        # A finding may be of several tests, or of none.
        assert name == "test" or sum(numbers) == everything, (name, options, numbers)
        page.select_option(f"[name={name}]", "")


def try_links(page):
    if page.locator(".group").count() == 0:
        return
    page.locator(".group > summary").last.click()
    link = page.locator(".group li a").last
    link.click()
    target = page.locator(f"[id='{link.get_attribute('href')[1:]}']")
    assert target.is_visible() and target.evaluate("one => one === document.activeElement")


def try_permalink(browser, page, page_path):
    """A link to the last finding opens it in another window, too."""
    name = page.locator(".variable > summary > .link").last.get_attribute("href")
    other = browser.new_page()
    other.goto(page_path.as_uri() + name)
    variable = other.locator(f"[id='{name[1:]}']").locator("..")
    assert variable.is_visible() and variable.get_attribute("open") is not None
    assert variable.locator("article").count() > 0
    other.wait_for_function("name => document.activeElement.id === name", arg=name[1:], timeout=5000)
    other.close()


def try_paper(page):
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".variable:not([open])").count() == 0
    assert len(page.pdf()) > 10_000


def fits(page):
    """Nothing but code scrolls sideways."""
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], widths


def try_page(browser, page_path, pictures):
    for scheme in ["light", "dark"]:
        page = opened(browser, page_path, 1280, scheme)
        page.screenshot(path=pictures / f"desktop-{scheme}.png")
        page.screenshot(path=pictures / f"desktop-{scheme}-whole.png", full_page=True)
    if shown(page) > 0:
        try_keyboard(page)
        try_filters(page)
        try_links(page)
        try_permalink(browser, page, page_path)
        try_paper(page)
    fits(page)
    phone = opened(browser, page_path, 400, "light", is_mobile=True, device_scale_factor=2)
    phone.screenshot(path=pictures / "phone.png")
    if phone.locator("article").count() > 0:
        phone.locator("article").first.scroll_into_view_if_needed()
        phone.screenshot(path=pictures / "phone-race.png")
    fits(phone)
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(page_path.as_uri())
    assert not plain.locator("#filters").is_visible() and shown(plain) == shown(page)
    print("the page works")


def findings(directory):
    """The findings of a made-up JVM: as many races, each with stacks of nine frames, in tests of a shop."""
    place = lambda name, method, line: {
        "class": name, "method": method, "descriptor": "()V", "offset": 0, "line": line, "file": name.split("/")[-1] + ".java"}
    calls = [place(f"shop/Service{depth}", f"call{depth}", depth * 10 + 1) for depth in range(8)]

    def access(kind, at, thread):
        stack = [place(f"shop/p{at % 20}/Cart{at % 500}", kind, 10 + at % 50), *calls]
        thread = {"id": thread, "name": f"worker-{thread}", "alive": thread % 2 == 0, "created": [place("shop/Main", "main", 12)]}
        locks = [{"id": 100 + at, "class": "java/lang/Object", "mode": "exclusive"}] if at % 3 else []
        return {"kind": kind, "stack": stack, "thread": thread, "locks": locks, "test": f"shop.CartTest.t{at % 40}"}

    with open(directory / "findings-7-1000.jsonl", "w") as file:
        line = lambda record: file.write(json.dumps(record) + "\n")
        line({"jvm": {"format": 1, "pid": 7, "started": 1000, "version": "17", "command": "shop.Main", "check": "hybrid, field"}})
        for at in range(NUMBER):
            variable = {"kind": "field", "class": f"shop/p{at % 20}/Cart{at % 500}", "name": f"f{at}", "descriptor": "I"}
            conflict = {"grade": ["certain", "possible"][at % 2], "current": access("write", at, 1), "previous": access("read", at + 1, 2)}
            line({"finding": {"rule": "race", "evidence": "lockset", "variable": variable, "conflicts": [conflict]}})


def try_many(browser, jrace):
    """Opens ten thousand findings. The best of five, as other programs run, too."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        findings(folder)
        page_path = folder / "page.html"
        subprocess.run([pathlib.Path(jrace).resolve(), "report", folder, "--html", page_path], stdout=subprocess.DEVNULL)
        times = []
        for _ in range(5):
            page = opened(browser, page_path, 1280, "light")
            times.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            last = page
        size = page_path.stat().st_size / 1e6
        print(f"{NUMBER} findings, {size:.0f} MB: {min(times):.0f} to {max(times):.0f} ms until the page is there")
        assert min(times) < 1000, times
        last.fill("[name=text]", "cart7.f4507")
        assert last.inner_text("output").startswith(f"1 of {NUMBER} ") and shown(last) == 1
        last.locator(".variable:visible > summary").click()
        assert last.locator(".variable:visible .lane").count() == 2
        try_permalink(browser, last, page_path)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    if sys.argv[1] == "--many":
        try_many(browser, sys.argv[2])
    else:
        try_page(browser, pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "."))
    browser.close()
