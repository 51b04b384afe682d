"""The checksum of a stored document: what stands beside it, so that a damaged or edited row is noticed."""

from hashlib import blake2b

from neardup.stores.stored_document import StoredDocument

_MISSING = 2**64 - 1
"""The length that is written for a value that there is not."""


def checksum(document: StoredDocument) -> str:
    """Digest all that a store keeps of a document, its time in microseconds or missing: BLAKE2b, 128 bits, in hex."""
    digest = blake2b(digest_size=16)
    for value in document:
        data = None if value is None else str(value).encode("utf-8", "surrogatepass")
        digest.update((_MISSING if data is None else len(data)).to_bytes(8, "little"))
        digest.update(data or b"")
    return digest.hexdigest()
