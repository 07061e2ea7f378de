"""What people write where a secret was: it is told by its words, so this goes for values that only a name tells."""

from __future__ import annotations

import re
from typing import Final

from intercept.redaction.placeholders import PLACEHOLDER

SHORTEST: Final = 8
"""A shorter value of a header is no secret."""

_SCHEME: Final = re.compile(r"(?:bearer|basic|token)\s+", re.IGNORECASE)
_WORDS: Final = re.compile(
    r"redact|0{8}|dummy|scrub|sanitis|sanitiz|filtered|placeholder|not[-_ ]?a[-_ ]?real|x{4,}|\*{3,}|<[^<>]*>|\.{3,}|…|"
    r"^\$[a-z_({]|\$\{|\{[a-z_][\w.]*[(\[}:!]|%\(\w+\)|%[sdr]\b|"  # filled in when the program runs
    r"(?<![a-z0-9])(?:test|tests|testing|fake|mock|mocked|example|changeme|your|none|null|xxx|hidden|removed|loopback)"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)


def is_stand_in(value: str) -> bool:
    """Whether a value stands where a secret was or would be: a placeholder of ours, or such as people write."""
    bare = _SCHEME.sub("", value, count=1).strip()
    if len(bare) < SHORTEST or len(set(bare)) < 3:  # noqa: PLR2004
        return True
    return PLACEHOLDER.search(bare) is not None or _WORDS.search(bare) is not None
