"""The stand-in: a provider on 127.0.0.1 that knows the agent's questions, and waits as a provider does."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from intercept.loopback import Provider
from intercept_demo import replies
from intercept_demo.agent import GET_WEATHER, Outing
from intercept_demo.pace import pacing

if TYPE_CHECKING:
    from collections.abc import Generator

    from intercept_demo.steps import Models

ADVICE: Final = "Take a raincoat: it is 14 C and raining in Lisbon."
POEM: Final = "Rain walks down the tiled hill,\nand every tram bell rings it home."
OUTING: Final = Outing(place="Museu Nacional do Azulejo", hours=2, indoors=True)


@contextmanager
def answering(models: Models) -> Generator[Provider]:
    """Run it while the block runs. Tokens it counts itself, at once; the other answers are prepared."""
    call = replies.tool_call(GET_WEATHER["function"]["name"], {"city": "Lisbon"})
    advice, outing = {"content": ADVICE}, {"content": OUTING.model_dump_json()}
    with Provider() as provider, provider.gate() as gate, pacing(gate):
        provider.answer(
            replies.chat(1, models.openai, call, tokens=(58, 15)),
            replies.chat(2, models.openai, advice, tokens=(87, 14)),
            replies.chat(3, models.openai, outing, tokens=(71, 21)),
            path="/v1/chat/completions",
        )
        provider.answer(replies.messages_stream(models.anthropic, POEM, tokens=(17, 18)), path="/v1/messages")
        yield provider
