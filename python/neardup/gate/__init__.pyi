# Written by `make docs` from the list in public.py.

from neardup.errors import DamagedStore as DamagedStore
from neardup.gate.gate import Page as Page
from neardup.stores.document_store import DocumentStore as DocumentStore
from neardup.stores.document_store import Found as Found
from neardup.stores.document_store import SearchIndex as SearchIndex
from neardup.stores.indexed import IndexedStore as IndexedStore
from neardup.stores.opensearch import OpenSearchIndex as OpenSearchIndex
from neardup.stores.postgres import PostgresStore as PostgresStore
from neardup.stores.sqlite import SqliteStore as SqliteStore
from neardup.stores.stored_document import Changes as Changes
from neardup.stores.stored_document import Role as Role
from neardup.stores.stored_document import StoredDocument as StoredDocument
from neardup.stores.terms import QueryTerm as QueryTerm
from neardup.stores.terms import SearchTerm as SearchTerm
from neardup.stores.terms import query_terms as query_terms
from neardup.stores.terms import search_terms as search_terms

__all__ = [
    "Changes",
    "DamagedStore",
    "DocumentStore",
    "Found",
    "IndexedStore",
    "OpenSearchIndex",
    "Page",
    "PostgresStore",
    "QueryTerm",
    "Role",
    "SearchIndex",
    "SearchTerm",
    "SqliteStore",
    "StoredDocument",
    "query_terms",
    "search_terms",
]
