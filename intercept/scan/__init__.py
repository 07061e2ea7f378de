"""Looking for secrets in files: cassettes of ours and of others, and plain text of any kind.

What recording would hide is what is found, by the very code that hides it; nothing in a file is ever executed.
"""

from __future__ import annotations

from intercept.scan.findings import Finding, Report, Unreadable
from intercept.scan.scanner import Scanner
from intercept.scan.walking import Walked, walk

__all__ = ["Finding", "Report", "Scanner", "Unreadable", "Walked", "walk"]
