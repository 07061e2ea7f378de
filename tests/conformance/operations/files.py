"""Files and uploads in parts, of OpenAI."""

from __future__ import annotations

import io
from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.folder import folder
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import DEPRECATED, operation
from tests.conformance.operations.views import Asked, asked, viewed

DATA = b'{"one": 1}\r\n' + bytes(range(256))


async def made(client: Any, name: str = "notes.txt", data: bytes = DATA, purpose: str = "assistants") -> Any:
    """Upload a file."""
    return await settled(client.files.create(file=(name, data), purpose=purpose))


@operation("openai")
async def files(client: Any) -> Any:
    one = await made(client, data=b"one\r\ntwo\x00")
    content = await settled(client.files.content(one.id))
    return [one, content.content, await settled(client.files.retrieve(one.id)), await each(client.files.list())]


@viewed("openai")
async def files_create(_client: Any) -> Asked:
    return asked("files.create", file=("notes.txt", DATA, "text/plain"), purpose="assistants")


@operation("openai")
async def files_from_anything(client: Any) -> Any:
    """Bytes, a named buffer, tuples, an open file and a path."""
    buffer = io.BytesIO(b"buffered")
    buffer.name = "buffer.txt"
    with folder() as there:
        path = there.holding("on-disk.txt", DATA)
        with there.opened("on-disk.txt") as opened:
            given = [
                b"bare",
                buffer,
                ("named.txt", b"tuple"),
                ("typed.txt", b"tuple", "text/plain"),
                ("headed.txt", b"tuple", "text/plain", {"x-part": "1"}),
                opened,
                path,
            ]
            kept = [await settled(client.files.create(file=one, purpose="user_data")) for one in given]
    return [kept, [(await settled(client.files.content(one.id))).content for one in kept]]


@viewed("openai")
async def files_retrieve(client: Any) -> Asked:
    return asked("files.retrieve", (await made(client)).id)


@viewed("openai", pages=True)
async def files_list(client: Any) -> Asked:
    for number in range(3):
        await made(client, f"{number}.txt", bytes([number]))
    return asked("files.list", limit=2, purpose="assistants")


@viewed("openai")
async def files_content(client: Any) -> Asked:
    return asked("files.content", (await made(client)).id)


@operation("openai")
async def files_content_read(client: Any) -> Any:
    name = (await made(client, data=b"one\ntwo\r\nthree")).id
    content = await settled(client.files.content(name))
    lines = await each(content.iter_lines())
    return [kind(content), content.text, content.content, content.read(), lines]


@operation("openai", DEPRECATED)
async def files_content_as_text(client: Any) -> Any:
    return await settled(client.files.retrieve_content((await made(client, data=b"text")).id))


@viewed("openai")
async def files_delete(client: Any) -> Asked:
    return asked("files.delete", (await made(client)).id)


@operation("openai")
async def files_waited_for(client: Any) -> Any:
    return await settled(client.files.wait_for_processing((await made(client)).id))


@operation("openai")
async def upload_in_parts(client: Any) -> Any:
    options: dict[str, Any] = {"bytes": len(DATA), "mime_type": "text/plain", "purpose": "assistants"}
    upload = await settled(client.uploads.create(filename="parts.txt", **options))
    parts = [
        await settled(client.uploads.parts.create(upload.id, data=("part", data))) for data in (DATA[100:], DATA[:100])
    ]
    complete = await settled(client.uploads.complete(upload.id, part_ids=[parts[1].id, parts[0].id]))
    content = await settled(client.files.content(complete.file.id))
    other = await settled(client.uploads.create(filename="other.txt", **options))
    return [upload, parts, complete, content.content, await settled(client.uploads.cancel(other.id))]


@operation("openai")
async def upload_cut_by_the_sdk(client: Any) -> Any:
    options: dict[str, Any] = {"bytes": len(DATA), "mime_type": "text/plain", "purpose": "assistants", "part_size": 100}
    whole = await settled(client.uploads.upload_file_chunked(file=DATA, filename="large.txt", **options))
    return [whole, (await settled(client.files.content(whole.file.id))).content]
