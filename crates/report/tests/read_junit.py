"""Reads a JUnit document from standard input as strictly as the format's schema does.

Elements, their attributes and their order are those that Jenkins documents; numbers must add up.
"""

import sys
import xml.etree.ElementTree as tree

# Element: attributes that must be there, others that may be, children.
SCHEMA = {
    "testsuites": ({"tests", "failures", "errors"}, {"name", "time", "disabled"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package", "disabled"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "classname"},
        {"time", "assertions", "status"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set(), set()),
    "error": ({"type", "message"}, set(), set()),
}
NUMBERS = {"tests", "failures", "errors", "skipped", "disabled"}


def look(element):
    must, may, children = SCHEMA[element.tag]
    given = set(element.attrib)
    assert must <= given <= must | may, f"{element.tag}: attributes {sorted(given)}"
    for name in NUMBERS & given:
        int(element.attrib[name])
    if "time" in given:
        float(element.attrib["time"])
    for child in element:
        assert child.tag in children, f"{child.tag} in {element.tag}"
        look(child)


def adds_up(element):
    for number, tag in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")]:
        found = len(list(element.iter(tag)))
        assert int(element.attrib[number]) == found, f"{element.tag}: {number} is not {found}"


root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == "testsuites", root.tag
look(root)
adds_up(root)
for suite in root:
    adds_up(suite)
print("{tests} tests, {failures} failures, {errors} errors".format(**root.attrib), f"in {len(root)} suites")
for problem in list(root.iter("failure")) + list(root.iter("error")):
    print(problem.attrib["type"], problem.attrib["message"])
