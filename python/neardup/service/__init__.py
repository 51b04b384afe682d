"""The service: an index, its gate and its sweeps over HTTP, for programs and for people.

The service is two applications inside guards: `api` for programs, `pages` for people; `search` finds documents for
both. Each guard enforces one limit: on the number of requests, their time, their size or their origin. A model checks
all input before a route uses it. An error becomes a problem with a status, or a page. Short texts are checked in the
event loop, and work that waits for the disk runs in threads. Work that may take for ever (reading HTML, explaining
texts of strangers) runs in child processes, which are killed after a time limit.
"""
