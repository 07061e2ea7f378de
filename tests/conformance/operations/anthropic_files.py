"""Files of Anthropic."""

from __future__ import annotations

import io
from typing import Any

from tests.conformance.callers import each, entered, settled
from tests.conformance.operations.folder import folder
from tests.conformance.operations.shown import content, kind
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

DATA = b"one\r\n" + bytes(range(256))


async def _made(client: Any, name: str = "notes.txt") -> Any:
    return await settled(client.beta.files.upload(file=(name, DATA, "text/plain")))


@viewed("anthropic")
async def beta_files_upload(_client: Any) -> Asked:
    return asked("beta.files.upload", file=("notes.txt", DATA, "text/plain"))


@viewed("anthropic")
async def beta_files_retrieve(client: Any) -> Asked:
    return asked("beta.files.retrieve_metadata", (await _made(client)).id)


@viewed("anthropic", pages=True)
async def beta_files_list(client: Any) -> Asked:
    for number in range(3):
        await _made(client, f"{number}.txt")
    return asked("beta.files.list", limit=2, betas=["files-api-2025-04-14"])


@viewed("anthropic")
async def beta_files_delete(client: Any) -> Asked:
    return asked("beta.files.delete", (await _made(client)).id)


@viewed("anthropic")
async def beta_files_download(client: Any) -> Asked:
    return asked("beta.files.download", (await _made(client)).id)


@operation("anthropic")
async def beta_files_downloaded(client: Any) -> Any:
    name = (await _made(client)).id
    with folder() as there:
        whole = await settled(client.beta.files.download(name))
        await settled(whole.write_to_file(there.path / "written"))
        async with entered(client.beta.files.with_streaming_response.download(name)) as response:
            await settled(response.stream_to_file(there.path / "streamed"))
        other = await settled(client.beta.files.download(name))
        drawn = b"".join(await each(other.iter_bytes()))
        return [kind(whole), await content(whole), there.read("written"), there.read("streamed"), drawn]


@operation("anthropic")
async def beta_files_from_anything(client: Any) -> Any:
    """A buffer, an open file and a path."""
    buffer = io.BytesIO(b"buffered")
    buffer.name = "buffer.txt"
    with folder() as there:
        path = there.holding("on-disk.txt", DATA)
        with there.opened("on-disk.txt") as opened:
            return [await settled(client.beta.files.upload(file=file)) for file in (buffer, opened, path)]


@operation("anthropic", needs="files")
async def files_without_beta(client: Any) -> Any:
    made = await settled(client.files.upload(file=("notes.txt", DATA, "text/plain")))
    return [made, await settled(client.files.retrieve_metadata(made.id)), await each(client.files.list())]
