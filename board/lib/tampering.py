# SPDX-License-Identifier: Apache-2.0
"""The control of the referee: breaks a server's folder in every way that it must notice, one at a time, and mends it.

A referee that notices nothing proves nothing; so every campaign ends with this.
"""

import os
import random
import shutil

from referee import NAME, files_below, judge


def controls(items, store, seed):
    """Breaks an acknowledged picture in four ways; returns {what was broken: whether it was noticed}.

    A picture whose acknowledgement was cut off may be there or not, so that nobody notices its loss.
    """
    matches = {path: NAME.search(os.path.basename(name)) for path, name in files_below(store)
               if not any(part.startswith(".") for part in name.split(os.sep))}
    path = random.Random(seed).choice(sorted(path for path, match in matches.items() if match and match["item"] in items))
    folder, name = os.path.split(path)
    aside = os.path.join(os.path.dirname(os.path.abspath(store)), "aside")
    copy = os.path.join(folder, "2-" + name)
    noticed = {}
    shutil.copy2(path, aside)
    try:
        os.remove(path)
        noticed["lost"] = bool(judge(items, store).lost)
        shutil.copy2(aside, path)
        shutil.copy2(aside, copy)
        noticed["doubled"] = bool(judge(items, store).doubled)
        os.remove(copy)
        os.truncate(path, os.path.getsize(aside) // 2)
        noticed["torn"] = bool(judge(items, store).torn)
        shutil.copy2(aside, path)
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(aside) // 3)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        noticed["different"] = bool(judge(items, store).different or judge(items, store).torn)
    finally:
        shutil.copy2(aside, path)
        for rest in (aside, copy):
            if os.path.exists(rest):
                os.remove(rest)
    return noticed
