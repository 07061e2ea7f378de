"""What secrets look like: anchored rules for text, each with the words without which it cannot match.

The shapes are those that the providers publish, and that gitleaks, trufflehog and GitHub's secret scanning look for. A
rule matches from the start of a token, so what looks alike in the middle of a longer one (a signature, an encrypted
blob) stays as it is. Every part that repeats is bounded, or ends at a character that it does not contain: no text makes
a rule slow.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from intercept.redaction.names import PARAMETERS, WRITTEN


@dataclass(frozen=True)
class Rule:
    """A shape of secrets. `label` names it in placeholders; the group `secret`, or the whole match, is hidden.

    `words` are in every text that it matches, in lower case if `folded`. `check` has the last word on a match.
    """

    label: str
    shape: str
    words: tuple[str, ...] = ()
    folded: bool = False
    flags: int = 0
    check: Callable[[str], bool] | None = field(default=None, compare=False)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The shape, compiled when it is first needed: most texts hold none of the words."""
        return re.compile(self.shape, self.flags)

    def matches(self, text: str) -> Iterator[tuple[int, int]]:
        """Give where the secrets begin and end."""
        group = "secret" if "secret" in self.pattern.groupindex else 0
        for found in self.pattern.finditer(text):
            if self.check is None or self.check(found[group]):
                yield found.span(group)


def _token(label: str, shape: str, *words: str, check: Callable[[str], bool] | None = None) -> Rule:
    """Make the rule for a token that can be told by its own shape; `words` begin it."""
    return Rule(label, rf"(?<![A-Za-z0-9]){shape}", words, check=check)


def _in_context(label: str, shape: str, *words: str, check: Callable[[str], bool] | None = None) -> Rule:
    """Make the rule for what only its context tells; its words are in lower case, the text may be in any."""
    return Rule(label, shape, words, folded=True, flags=re.IGNORECASE, check=check)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _is_drawn(text: str) -> bool:
    """Whether the first letters were drawn at random: words alone were not, nor words with a number behind them."""
    return _has_digit(text[:48]) and _NUMBERED.fullmatch(text) is None


def _has_three_parts(text: str) -> bool:
    """Whether what a rule took in at once, so that no letter is looked at twice, is all that it looks for."""
    return text.count(".") == 2  # noqa: PLR2004


def _is_basic(text: str) -> bool:
    """Whether a text is base64 of `user:password`, and no word of prose."""
    try:
        return b":" in base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


_NUMBERED: Final = re.compile(r"(?:[a-z]+[-_]+)+\d{1,6}")  # sk-estimator-id-123
_ALNUM: Final = "A-Za-z0-9"
_NAME: Final = r"[A-Za-z0-9_-]"
_SIGNED: Final = r"(?:Credential|SignedHeaders|Signature)=[^\s,\"'\\]{1,400}"

RULES: Final = (
    # Providers of models.
    _token("anthropic-key", rf"sk-ant-[{_ALNUM}]{{1,16}}-{_NAME}{{16,}}", "sk-ant-"),
    _token("openrouter-key", r"sk-or-v1-[0-9a-f]{32,}", "sk-or-v1-"),
    _token("openai-key", rf"sk-(?:proj|svcacct|service|admin)-{_NAME}{{16,}}", "sk-"),
    _token("openai-key", rf"sk-{_NAME}{{16,}}", "sk-", check=_is_drawn),
    _token("openai-key", rf"sk-[{_ALNUM}]{{32,}}", "sk-"),
    _token("openai-ephemeral-key", rf"ek_{_NAME}{{16,}}", "ek_", check=_is_drawn),
    _token("openai-session", rf"sess-{_NAME}{{20,}}", "sess-", check=_is_drawn),
    _token("google-key", rf"AIza{_NAME}{{35}}", "AIza"),
    _token("google-token", rf"ya29\.{_NAME}{{10,}}", "ya29."),
    _token("groq-key", rf"gsk_[{_ALNUM}]{{40,}}", "gsk_"),
    _token("xai-key", rf"xai-[{_ALNUM}]{{40,}}", "xai-"),
    _token("huggingface-token", rf"hf_[{_ALNUM}]{{30,}}", "hf_"),
    _token("perplexity-key", rf"pplx-[{_ALNUM}]{{32,}}", "pplx-"),
    # Clouds.
    _in_context(
        "aws-signature",
        rf"AWS4-HMAC-SHA256\s{{1,4}}{_SIGNED}(?:[,\s]{{1,4}}{_SIGNED}){{0,3}}",
        "aws4-hmac-sha256",
    ),
    _token("aws-key-id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])", "AKIA", "ASIA", "ABIA", "ACCA"),
    _in_context(
        "aws-secret",
        r"aws.{0,8}secret.{0,8}key[\"'\s\\]{0,4}[=:]\W{0,4}(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
        "aws",
    ),
    _in_context(
        "aws-session-token",
        r"(?:aws.{0,4}session.{0,4}token|x-amz-security-token)[\"'\s\\]{0,4}[:=]\W{0,4}(?P<secret>[A-Za-z0-9/+=%]{40,})",
        "aws", "x-amz-security-token",
    ),
    _token("bedrock-key", rf"ABSK[{_ALNUM}+/]{{40,}}={{0,2}}", "ABSK"),
    _token("bedrock-key", rf"bedrock-api-key-[{_ALNUM}+/_-]{{16,}}={{0,2}}", "bedrock-api-key-"),
    _in_context("azure-sas", r"[?&;]sig=(?P<secret>[A-Za-z0-9%+/=_-]{20,})", "sig="),
    _token("azure-secret", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", "Q~"),
    # Code, chat and money.
    _token("github-token", rf"gh[pousr]_[{_ALNUM}]{{36,}}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _token("github-token", rf"github_pat_[{_ALNUM}_]{{40,}}", "github_pat_"),
    _token("gitlab-token", rf"glpat-{_NAME}{{20,}}", "glpat-"),
    _token("npm-token", rf"npm_[{_ALNUM}]{{36}}", "npm_"),
    _token("pypi-token", rf"pypi-{_NAME}{{50,}}", "pypi-"),
    _token("slack-token", rf"(?:xox[abeoprs]|xapp)-{_NAME}{{10,}}", "xox", "xapp-"),
    _token("slack-webhook", rf"hooks\.slack\.com/[{_ALNUM}/_-]{{16,}}", "hooks.slack.com/"),
    _token("stripe-key", rf"[sr]k_(?:live|test)_[{_ALNUM}]{{16,}}", "_live_", "_test_"),
    _token("webhook-secret", rf"whsec_[{_ALNUM}+/]{{24,}}={{0,2}}", "whsec_"),
    # Of any maker.
    _token("jwt", rf"eyJ{_NAME}{{8,}}(?:\.eyJ{_NAME}{{8,}}\.{_NAME}{{8,}})?", "eyJ", check=_has_three_parts),
    Rule(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}"
        r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
        ("PRIVATE KEY",),
    ),
    _in_context("bearer-token", r"\bbearer\s{1,4}(?P<secret>[A-Za-z0-9._~+/-]{16,}={0,2})", "bearer", check=_has_digit),
    _in_context("basic-auth", r"\bbasic\s{1,4}(?P<secret>[A-Za-z0-9+/]{8,}={0,2})", "basic", check=_is_basic),
    _in_context(
        "url-userinfo",
        # A name alone is none (git@github.com), nor is a template.
        r"://(?P<secret>[^\s/?#@:\"'\\<>\[\]]{0,256}:(?!\{|\$[A-Za-z_{]\w*\}?@)[^\s/?#@\"'\\<>\[\]]{1,256}|"
        r"[A-Za-z0-9_.~%-]{16,256}:?)@(?=[A-Za-z0-9\[])",
        "://",
    ),
    _in_context("cookie", r"(?:__cf_bm|_cfuvid|__Secure-[\w.-]{1,64}|__Host-[\w.-]{1,64})="
                r"(?P<secret>[^\s;\"'\\{}()<>]{8,})",
                "__cf_bm", "_cfuvid", "__secure-", "__host-"),
    _in_context("cookie", r"\b(?:set-)?cookie\"?\s{0,2}:\s{0,2}\"?"
                r"(?P<secret>[\w!#$%&*+.^`|~-]{1,256}=[^\r\n\"\\]{6,4096})", "cookie"),
    _in_context("url-parameter", rf"[?&;](?:{PARAMETERS})=(?P<secret>[^\s&;#\"'\\<>\[]{{6,}})", "="),
    _in_context(
        "assignment",
        rf"(?<![A-Za-z0-9])(?:{WRITTEN})[\"']?\s{{0,3}}(?::=|=>|=|:)\s{{0,3}}"
        r"(?![a-z_]\w{0,60}(?:\.\w{1,60}){0,8}\s?[(\[])"  # a call
        r"(?!(?-i:[a-z_][a-z0-9_]{0,60}(?:\.[a-z_][a-z0-9_]{0,60}){1,8}(?![\w.~+/!@#$%^*-])))"  # an attribute
        r"[\"']?(?:(?:bearer|basic|token)\s{1,4})?(?P<secret>[A-Za-z0-9._~+/!@#$%^*-]{16,}={0,2})",
        "key", "secret", "token", "passw", "pwd", "authorization",
        check=_has_digit,
    ),
)  # fmt: skip
"""Searched for everywhere; the first that matches gives the label."""

IDENTITIES: Final = (
    _token("openai-organization", rf"org-[{_ALNUM}]{{24}}(?![{_ALNUM}])", "org-"),
    _token("openai-project", rf"proj_[{_ALNUM}]{{24}}(?![{_ALNUM}])", "proj_"),
    _token("openai-user", rf"user-[{_ALNUM}]{{24}}(?![{_ALNUM}])", "user-"),
    _token("anthropic-workspace", rf"wrkspc_[{_ALNUM}]{{16,}}", "wrkspc_"),
)
"""No secrets, but they tell who asked. Their placeholders tell them apart, also between requests."""

EMAIL: Final = Rule(
    "email",
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@"
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])",
    ("@",),
)
"""E-mail addresses, for `redact=`: on request only, as they may be what the conversation is about."""

PHONE: Final = Rule(
    "phone",
    r"(?<![A-Za-z0-9+])\+[1-9](?:[ .()/-]{0,2}\d){7,14}(?!\d)",
    ("+",),
)
"""Phone numbers with their country's code (E.164, with or without blanks), for `redact=`: on request only."""
