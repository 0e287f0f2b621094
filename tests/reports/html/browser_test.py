"""Report pages in headless Chromium: browser_test.py PAGE AWKWARD-PAGE [FOLDER for pictures]."""
import pathlib
import sys
import unittest

import chromium

SKIPPED = 77

# Ratio of luminances of a text and what lies behind it (WCAG 2.1, 1.4.3), of every element with text of its own that
# is seen; those below 4.5.
CONTRAST = """(() => {
  const channel = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
    const [a, b] = [luminance(parse(getComputedStyle(e).color)), luminance(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${e.tagName} ${e.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(low)];
})()"""

# Whether anything was drawn on a chart: some pixel is not transparent.
DRAWN = """[...document.querySelectorAll("canvas")].map((c) => [c.id || c.closest("figure").textContent,
  c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v !== 0)])"""

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Browser(unittest.TestCase):
    page = awkward = pictures = None

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(chromium.Chromium())

    def open(self, page=None, **how):
        self.browser.open(page or self.page, **how)

    def picture(self, name, whole=True):
        if self.pictures:
            self.browser.screenshot(self.pictures / f"{name}.png", whole)

    def assert_quiet(self):
        """No message, no error, nothing loaded but the page."""
        of = lambda method: [e["params"] for e in self.browser.events if e.get("method") == method]
        self.assertEqual(of("Runtime.exceptionThrown") + of("Runtime.consoleAPICalled") + of("Log.entryAdded"), [])
        self.assertEqual(of("Page.javascriptDialogOpening"), [])
        urls = {r["request"]["url"].split("#")[0] for r in of("Network.requestWillBeSent")}
        self.assertTrue(all(url.startswith(("file:", "data:")) for url in urls), urls)
        self.assertEqual(len([url for url in urls if url.startswith("file:")]), 1)

    def test_draws_every_chart_without_a_message(self):
        for dark in (False, True):
            self.open(dark=dark)
            drawn = self.browser.value(DRAWN)
            self.assertGreaterEqual(len(drawn), 5)
            self.assertEqual([name for name, any_pixel in drawn if not any_pixel], [])
            self.assert_quiet()
            self.picture("dark" if dark else "light")

    def test_text_stands_out(self):
        for page in (self.page, self.awkward):
            for dark in (False, True):
                self.open(page, dark=dark)
                self.assertEqual(self.browser.value(CONTRAST), [])

    def test_fits_a_phone(self):
        for page, name in ((self.page, "phone"), (self.awkward, "phone-awkward")):
            self.open(page, width=360, height=740)
            self.assertFalse(self.browser.value(WIDER))
            self.picture(name)

    def test_without_scripts_tables_stay(self):
        self.open(scripts=False)
        self.picture("no-scripts")
        tree = self.browser.send("Accessibility.getFullAXTree")["nodes"]
        of = lambda role: [n.get("name", {}).get("value") for n in tree if n.get("role", {}).get("value") == role
                           and not n.get("ignored")]
        self.assertIn("Weighted ratios with 99 % intervals, by rows M", of("table"))
        self.assertIn("Cases by operator, target, model and rows M", of("table"))
        self.assertEqual(of("image"), [])  # the charts are not there at all
        self.assertNotIn("Raw samples", of("heading"))

    def test_keyboard_reaches_cells_and_their_description(self):
        self.open(self.awkward)
        self.browser.key("Tab", 9)
        self.assertEqual(self.browser.value("document.activeElement.className"), "skip")
        tip = 'getComputedStyle(document.activeElement.nextElementSibling).visibility'
        for _ in range(60):
            self.browser.key("Tab", 9)
            if self.browser.value("document.activeElement.matches('td > a')"):
                break
        self.assertTrue(self.browser.value("document.activeElement.matches('td > a')"))
        self.assertEqual(self.browser.value(tip), "visible")
        self.assertIn("quadpair", self.browser.value("document.activeElement.nextElementSibling.querySelector('pre').textContent"))
        box = self.browser.value("document.activeElement.nextElementSibling.getBoundingClientRect().toJSON()")
        self.assertTrue(0 <= box["left"] and box["right"] <= 1280 and 0 <= box["top"] and box["bottom"] <= 900, box)
        self.picture("keyboard", whole=False)
        self.browser.key("Escape", 27)
        self.assertEqual(self.browser.value(tip), "hidden")
        self.browser.key("Enter", 13)
        opened = "document.querySelector('tr:target').closest('details').open"
        self.assertTrue(self.browser.value(opened))  # the fold opens for what the cell leads to

    def test_pointer_shows_the_description(self):
        self.open()
        self.browser.value("document.querySelector('td > a').scrollIntoView({block: 'center'})")
        box = self.browser.value("document.querySelector('td > a').getBoundingClientRect().toJSON()")
        self.browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + 2, y=box["y"] + 2)
        self.assertEqual(self.browser.value("getComputedStyle(document.querySelector('td > a + .tip')).visibility"), "visible")
        self.picture("pointer", whole=False)

    def test_another_case_can_be_chosen(self):
        self.open()
        first = "Chart.getChart('chart-samples').data.datasets[0].data[1].y"
        before = self.browser.value(first)
        self.browser.value("""(() => { const s = document.getElementById("sample-case"); s.selectedIndex = 5;
                              s.dispatchEvent(new Event("change")); })()""")
        self.assertNotEqual(self.browser.value(first), before)
        self.assert_quiet()

    def test_follows_a_change_of_colours(self):
        self.open()
        ink = "Chart.getChart('chart-roofline').options.scales.x.ticks.color"
        light = self.browser.value(ink)
        self.browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.browser.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        self.assertNotEqual(self.browser.value(ink), light)

    def test_prints_on_white_paper(self):
        self.open(dark=True)
        self.browser.value("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.value("Chart.getChart('chart-roofline').options.scales.x.ticks.color"), "#1b1f24")
        self.browser.value("dispatchEvent(new Event('afterprint'))")
        self.open(dark=True, media="print")
        self.assertEqual(self.browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.value(CONTRAST), [])
        self.open(dark=True)
        if self.pictures:
            self.browser.pdf(self.pictures / "print.pdf")

    def test_text_of_reports_is_never_run(self):
        self.open(self.awkward)
        self.assert_quiet()
        self.assertIsNone(self.browser.value("window.harmed"))
        self.assertIn("<script>", self.browser.value("document.querySelector('#not-passed + article').textContent"))
        self.picture("awkward")


if __name__ == "__main__":
    if not chromium.find():
        print("no chromium: `make browser` installs it")
        sys.exit(SKIPPED)
    Browser.page, Browser.awkward = sys.argv[1:3]
    if len(sys.argv) > 3:
        Browser.pictures = pathlib.Path(sys.argv[3])
        Browser.pictures.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
