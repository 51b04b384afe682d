# Written by `make docs` from the list in public.py.

from neardup.errors import DamagedStore as DamagedStore
from neardup.gate.page import Page as Page
from neardup.stores.changes import Changes as Changes
from neardup.stores.document_store import DocumentStore as DocumentStore
from neardup.stores.indexed import IndexedStore as IndexedStore
from neardup.stores.postgres import PostgresStore as PostgresStore
from neardup.stores.search.opensearch import OpenSearchIndex as OpenSearchIndex
from neardup.stores.search.search_index import Found as Found
from neardup.stores.search.search_index import SearchIndex as SearchIndex
from neardup.stores.search.terms import QueryTerm as QueryTerm
from neardup.stores.search.terms import SearchTerm as SearchTerm
from neardup.stores.search.terms import query_terms as query_terms
from neardup.stores.search.terms import search_terms as search_terms
from neardup.stores.sqlite import SqliteStore as SqliteStore
from neardup.stores.stored_document import Role as Role
from neardup.stores.stored_document import StoredDocument as StoredDocument

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
