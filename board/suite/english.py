# SPDX-License-Identifier: Apache-2.0
"""The English of comments, messages and documents: American spelling, and sentences of a length that reads at once."""

import re

# Names of libraries and protocols keep their spelling: they stand in code, or in backticks.
BRITISH = re.compile(
    r"\b\w*(colour|behaviour|neighbour|favour|honour|dioptre|catalogue(?!\w)|analogue|(?<!is)(?<!Request)cancell(ed|ing)|"
    r"labell(ed|ing)|modell|signalled|(synchron|initial|recogn|priorit|optim|normal|organ|serial)is(e|ing|ation))\w*|\b(centre|grey|metre|fibre)s?\b|\btowards\b", re.I)
LONGEST = 25
# A code span, a link or a number with its unit is read as one word.
SPAN = re.compile(r"``?[^`]+``?|\[[^\]]*\]\([^)]*\)")
# The end of a statement: a full stop before a capital or the end, and what divides a sentence into statements.
END = re.compile(r"[.!?](?=[)\"*]*(\s|$))|[:;](?=\s)")


def british(text):
    """The first British word of a text, without its code spans; None for American English.

    >>> british("The colour of a `ColourGains`"), british("A `colour`")
    ('colour', None)
    """
    found = BRITISH.search(SPAN.sub("", text))
    return found[0] if found else None


def long_sentences(text):
    """The lengths of the statements of a paragraph that a reader does not take in at once; a list of names is none.

    >>> long_sentences("One two. " + "Word " * 26 + "end."), long_sentences("Names: " + "a, " * 30 + "b.")
    ([27], [])
    """
    found = []
    for sentence in END.sub("\n", SPAN.sub("name", text)).split("\n"):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > LONGEST and sentence.count(",") * 4 < len(words):
            found.append(len(words))
    return found


def comment_paragraphs(text):
    """The paragraphs of documentation comments with the numbers of their first lines, without tables and code.

    >>> comment_paragraphs("/// One\\n/// two.\\n///\\n/// | a |\\nlet x = 1\\n")
    [(1, 'One two.')]
    """
    return _paragraphs((number, line.lstrip()[3:] if line.lstrip().startswith("///") else None) for number, line in enumerate(text.splitlines(), 1))


def document_paragraphs(text):
    """The paragraphs of a Markdown document; headings, tables and code are left out."""
    lines, is_code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        lines.append((number, None if is_code or line.startswith(("#", "    ", "<", "!")) else line))
    return _paragraphs(lines)


def _paragraphs(lines):
    found, begin, words = [], 0, []
    for number, line in [*lines, (0, None)]:
        text = (line or "").strip()
        is_item = re.match(r"(- |\* |\d+\. )", text)
        if words and (not text or is_item or text.startswith("|")):
            found.append((begin, " ".join(words)))
            words = []
        # The list of the errors of a function is a list of names.
        if text and not text.startswith(("|", "```")) and (words or not text.startswith("- Throws:")):
            begin = begin if words else number
            words.append(re.sub(r"^(- |\* |\d+\. )", "", text))
    return found
