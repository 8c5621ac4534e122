# SPDX-License-Identifier: Apache-2.0
"""Calls that leave a pointer into the memory of a Swift value, which may be gone when the pointer is used."""

import re

# A closure that returns its own pointer.
RETURNED = r"withUnsafe\w+\s*(?:\([^(){}]*\))?\s*\{\s*(?:\$0|(\w+) in\s+\1)(?:\.baseAddress)?[!?]?\s*\}"
# An entry of a user or a group, whose strings lie in memory that an array lends for the call only.
LENT = r"\bget(?:pw|gr|sp)\w*_r\([^()]*&\w+, \w+\.count"
LEFT_BEHIND = re.compile(f"{RETURNED}|{LENT}")


def left_behind(text):
    """The numbers of the lines with such a call.

    >>> left_behind("let first = bytes.withUnsafeBufferPointer { $0.baseAddress }")
    [1]
    >>> left_behind("\\nlet all = withUnsafeBytes(of: &entry) { bytes in bytes }")
    [2]
    >>> left_behind("let sum = bytes.withUnsafeBytes { $0.reduce(0, +) }")
    []
    >>> left_behind("getpwuid_r(number, &entry, &buffer, buffer.count, &found)")
    [1]
    >>> left_behind("withBuffer { getgrnam_r(name, &entry, $0, $1, &found) }")
    []
    >>> left_behind("ttyname_r(descriptor, &name, name.count)")
    []
    """
    return [text.count("\n", 0, found.start()) + 1 for found in LEFT_BEHIND.finditer(text)]
