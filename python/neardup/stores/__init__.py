"""Document stores, and search in them.

`sql` is the document store in the SQL that SQLite and PostgreSQL share. A step of the gate is one transaction over
documents, search and position. A search engine outside is updated first, and an interrupted update is repeated. A
store remembers the last step of the index that it has, and receives the state of everything that changed since; so
several processes may update one store. A word in a run of Hangul or of a script without spaces is found by pairs of
characters.
"""
