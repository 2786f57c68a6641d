#!/usr/bin/env python3
"""Tries a page of `jrace races`, `jrace report` or `jrace check` (`--html FILE`) in a headless Chromium, as a reader would, and takes pictures of it.

    pip install playwright; apt-get install chromium
    cli/tests/page.py PAGE [DIRECTORY-FOR-PICTURES]

CI does not run this: `cargo test -p cli` looks at the structure of pages without a browser.
"""

import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

page_path = pathlib.Path(sys.argv[1]).resolve()
pictures = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")


def opened(browser, width, scheme, **options):
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


def try_filters(page):
    everything = shown(page)
    page.fill("[name=text]", "no such variable")
    assert shown(page) == 0 and page.locator(".group:visible").count() == 0
    assert page.inner_text("output") == f"0 of {everything} " + page.get_attribute("form", "data-of")
    page.click("[type=reset]")
    page.wait_for_function("document.querySelector('output').textContent.startsWith(%d + ' of')" % everything)
    for name in ["package", "confidence", "kind"]:
        if page.locator(f"[name={name}]").count() == 0:
            continue
        values = page.eval_on_selector_all(f"[name={name}] option", "all => all.map(one => one.value)")
        numbers = []
        for value in values[1:]:
            page.select_option(f"[name={name}]", value)
            numbers.append(shown(page))
        assert sum(numbers) == everything, (name, values, numbers)
        page.select_option(f"[name={name}]", "")


def try_links(page):
    if page.locator(".group").count() == 0:
        return
    page.locator(".group > summary").last.click()
    link = page.locator(".group li a").last
    link.click()
    target = page.locator(link.get_attribute("href"))
    assert target.is_visible() and target.evaluate("one => one === document.activeElement")


def fits(page):
    """Nothing but code scrolls sideways."""
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], widths


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    for scheme in ["light", "dark"]:
        page = opened(browser, 1280, scheme)
        page.screenshot(path=pictures / f"desktop-{scheme}.png")
        page.screenshot(path=pictures / f"desktop-{scheme}-whole.png", full_page=True)
    try_keyboard(page)
    try_filters(page)
    try_links(page)
    fits(page)
    phone = opened(browser, 390, "light", is_mobile=True, device_scale_factor=2)
    phone.screenshot(path=pictures / "phone.png")
    fits(phone)
    phone.locator("article").first.scroll_into_view_if_needed()
    phone.screenshot(path=pictures / "phone-race.png")
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(page_path.as_uri())
    assert not plain.locator("#filters").is_visible() and shown(plain) > 0
    browser.close()
print("the page works")
