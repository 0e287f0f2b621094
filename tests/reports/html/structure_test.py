"""The structure of report pages, without a browser: structure_test.py PAGE..."""
import html.parser
import json
import sys
import unittest

READ = {"title", "h1", "h2", "h3", "main", "caption", "script"}
VOID = {"meta", "link", "br", "wbr", "img", "hr", "input"}
MAY_LOAD = {"src", "srcset", "data", "poster", "action", "formaction", "background"}


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.text = tag, dict(attributes), ""


class Page(html.parser.HTMLParser):
    """Every element, and what is wrong with the nesting."""

    def __init__(self, file):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.faults = [], [], []
        with open(file, encoding="utf-8") as text:
            self.feed(text.read())
        self.close()
        self.faults += [f"<{e.tag}> stays open" for e in self.open]

    def handle_starttag(self, tag, attributes):
        if len({name for name, _ in attributes}) != len(attributes):
            self.faults.append(f"<{tag}> has an attribute twice")
        element = Element(tag, attributes)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1].tag != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1].tag if self.open else 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            if element.tag in READ:
                element.text += data

    def all(self, *tags):
        return [e for e in self.elements if e.tag in tags]


class Structure(unittest.TestCase):
    pages = {}  # by file

    def each(self):
        for file, page in self.pages.items():
            with self.subTest(page=file):
                yield page

    def test_is_well_nested(self):
        for page in self.each():
            self.assertEqual(page.faults, [])

    def test_has_a_language_a_title_and_one_main_part(self):
        for page in self.each():
            self.assertEqual(page.elements[0].attributes["lang"], "en")
            for tag in ("title", "h1", "main"):
                self.assertEqual(len(page.all(tag)), 1, tag)
                self.assertTrue(page.all(tag)[0].text.strip(), tag)

    def test_headings_skip_no_level(self):
        for page in self.each():
            level = 0
            for heading in page.all("h1", "h2", "h3", "h4"):
                self.assertLessEqual(int(heading.tag[1]), level + 1, heading.text)
                level = int(heading.tag[1])

    def test_ids_are_unique_and_references_lead_somewhere(self):
        for page in self.each():
            ids = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
            self.assertEqual(len(ids), len(set(ids)))
            for element in page.elements:
                for name in ("aria-labelledby", "aria-describedby", "for"):
                    if name in element.attributes:
                        self.assertIn(element.attributes[name], ids)
                target = element.attributes.get("href", "")
                if target.startswith("#"):
                    self.assertIn(target[1:], ids)

    def test_tables_have_captions_and_every_head_a_scope(self):
        for page in self.each():
            self.assertEqual(len(page.all("table")), len(page.all("caption")))
            self.assertTrue(all(e.text.strip() for e in page.all("caption")))
            for head in page.all("th"):
                self.assertIn(head.attributes.get("scope"), ("row", "col"))

    def test_pictures_say_what_they_show(self):
        for page in self.each():
            for canvas in page.all("canvas"):
                self.assertEqual(canvas.attributes["role"], "img")
                self.assertTrue(canvas.attributes["aria-label"])

    def test_loads_nothing(self):
        for page in self.each():
            self.assertEqual(page.all("img", "iframe", "object", "embed", "base", "audio", "video"), [])
            for element in page.elements:
                self.assertFalse(MAY_LOAD & element.attributes.keys(), element.tag)
                self.assertTrue(element.attributes.get("href", "#").startswith(("#", "data:")))
            policy = [e for e in page.all("meta") if e.attributes.get("http-equiv") == "Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy[0].attributes["content"])

    def test_has_its_own_scripts_only(self):
        for page in self.each():
            self.assertEqual([e.attributes.get("type") for e in page.all("script")], ["application/json", None, None])
            json.loads(page.all("script")[0].text)
            for element in page.elements:
                self.assertFalse([name for name in element.attributes if name.startswith("on")], element.tag)


if __name__ == "__main__":
    Structure.pages = {file: Page(file) for file in sys.argv[1:]}
    unittest.main(argv=sys.argv[:1], verbosity=2)
