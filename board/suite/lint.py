# SPDX-License-Identifier: Apache-2.0
"""Formatting, the syntax of scripts and the examples in them, and constructs that are not allowed in Sources."""

import ast
import os
import re
import subprocess
import time

from building import REPOSITORY
from english import british, comment_paragraphs, document_paragraphs, long_sentences
from pointers import left_behind

# No thread of the programs serves the main queue.
FORBIDDEN = re.compile(r"MainActor|DispatchQueue\.main|@unchecked Sendable|nonisolated\(unsafe\)|@preconcurrency|try!|as!|fatalError\(")
# A comment begins with a verb or with a noun phrase, so that its subject is known before its end.
RIDDLE = re.compile(r"^\s*///? (What|Who|Whoever|Whom|Whose|It|That|Of|One|Such|Nobody|Somebody|Nothing|Everybody|How|Where)\b")
# The page makes no markup and no code from texts, and keeps nothing in the browser.
FORBIDDEN_IN_PAGE = re.compile(r"\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|localStorage|sessionStorage|indexedDB)\b|\bdocument\.(write|cookie)|"
                               r"\beval\(|\bnew Function\b|[\"'`]https?://(?!www\.w3\.org/2000/svg)")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
TEST_NAME = re.compile(r"@Test\b(?:(?!@Test\b|\bfunc\b).)*?\bfunc ([^`\s]\w*)\(", re.S)
DECLARATION = re.compile(r"^\s*package (?!import)(?:[a-z]+(?:\(set\))? )*?(?:func|var|let|struct|enum|protocol|actor|class|typealias) `?(\w+)")


def run(progress, only=None):
    """Checks all files of the repository, or `only` these of them; returns whether all is well."""
    began, findings = time.monotonic(), []
    files = [name for name in _known_files() if only is None or name in only]
    swift = [name for name in files if name.endswith(".swift")]
    scripts = [(name, _first_line(name)) for name in files if name.startswith(("board/", ".ci/"))]
    shell = [name for name, first in scripts if re.match(r"^#!.*\b(ba|da)?sh\b", first)]
    python = [name for name, first in scripts if name.endswith(".py") or "python3" in first]
    script = [name for name in files if name.startswith(("page/", "board/")) and name.endswith((".js", ".mjs"))]
    if swift:
        findings += _complaints(["swift", "format", "lint", "--strict", "--parallel", *swift])
    if shell:
        findings += _complaints(["shellcheck", "-x", "-P", "SCRIPTDIR", "-P", ".", "-e", "SC1091", *shell])
    for name in python:
        try:
            ast.parse(_text(name), name)
        except SyntaxError as error:
            findings.append(f"{name}:{error.lineno}: {error.msg}")
        if "\n    >>> " in _text(name):
            findings += _complaints(["/usr/bin/python3", "-B", "-m", "doctest", name])
    for name in script:
        findings += _complaints(["node", "--check", name])
        if name.startswith("page/"):
            findings += [f"{name}:{number}: not allowed in the page: {line.strip()}" for number, line in enumerate(_text(name).splitlines(), 1)
                         if FORBIDDEN_IN_PAGE.search(line)]
    requirements = _requirements(name for name in _known_files() if name.startswith("Sources/") and name.endswith(".swift"))
    for name in swift:
        findings += _prose(name, _text(name), requirements)
    for name in files:
        if name.endswith(".md"):
            findings += _document(name, _text(name))
    for finding in findings[:60]:
        progress.say(finding)
    progress.say(f"{len(swift)} Swift, {len(shell)} shell, {len(python)} Python and {len(script)} JavaScript files, {len(findings)} findings, "
                 f"{time.monotonic() - began:.0f} s")
    return not findings and bool(files or only is not None)


def _requirements(names):
    """The names of all members that protocols require: what fulfils one is documented there."""
    found = set()
    for name in names:
        for body in re.findall(r"^package protocol .*?^}", _text(name), re.S | re.M):
            found |= set(re.findall(r"^  (?:static |mutating )*(?:func|var) (\w+)", body, re.M))
    return found


def _prose(name, text, requirements):
    """Findings in a Swift file: forbidden constructs, missing documentation, comments and tests whose subject is hard to find."""
    findings, lines = [], text.splitlines()
    for number, line in enumerate(lines, 1):
        above = next((other.strip() for other in reversed(lines[:number - 1]) if not other.lstrip().startswith("@")), "")
        is_comment = line.lstrip().startswith("//")
        if name.startswith(("Sources/", "Benchmarks/")) and not is_comment and FORBIDDEN.search(line):
            findings.append(f"{name}:{number}: not allowed in Sources: {line.strip()}")
        declared = DECLARATION.match(line) if name.startswith("Sources/") else None
        if declared and declared[1] not in requirements and not above.startswith("///"):
            findings.append(f"{name}:{number}: has no documentation: {line.strip()}")
        if RIDDLE.match(line) and not above.startswith("//"):
            findings.append(f"{name}:{number}: begins with no verb and no noun: {line.strip()}")
        # A literal with a space is a sentence for people; one without is a name, perhaps of a library.
        texts = [line] if is_comment else [found for found in LITERAL.findall(line) if " " in found] if name.startswith("Sources/") else []
        if found := next(filter(None, map(british, texts)), None):
            findings.append(f"{name}:{number}: is not American spelling: {found}")
    findings += _long_sentences(name, comment_paragraphs(text))
    if name.startswith(("Sources/", "Benchmarks/")):
        findings += [f"{name}:{number}: leaves a pointer into memory that may be gone: {lines[number - 1].strip()}" for number in left_behind(text)]
    if name.startswith("Tests/"):
        findings += [f"{name}: a test whose name is no sentence in backticks: {found[1]}" for found in TEST_NAME.finditer(text)]
    return findings


def _document(name, text):
    """Findings in a Markdown document: spelling and the length of sentences; the change log has entries of its own style."""
    if name == "CHANGELOG.md":
        return []
    paragraphs = document_paragraphs(text)
    return _long_sentences(name, paragraphs) + [f"{name}:{number}: is not American spelling: {found}" for number, paragraph in paragraphs
                                                if (found := british(paragraph))]


def _long_sentences(name, paragraphs):
    return [f"{name}:{number}: a sentence of {count} words" for number, paragraph in paragraphs for count in long_sentences(paragraph)]


def _known_files():
    shown = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [name for name in shown.stdout.splitlines() if os.path.isfile(os.path.join(REPOSITORY, name))]


def _text(name):
    with open(os.path.join(REPOSITORY, name), encoding="utf-8") as file:
        return file.read()


def _first_line(name):
    with open(os.path.join(REPOSITORY, name), errors="replace") as file:
        return file.readline()


def _complaints(command):
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [] if done.returncode == 0 else done.stdout.strip().splitlines() or [f"{command[0]} ended with status {done.returncode}"]
