"""The service: an index, its gate and its sweeps over HTTP, for programs and for people.

The service is two applications inside guards: `api` for programs, `pages` for people. Each guard is one bound: on the
number of requests, their time, their size, their origin. A model checks what is sent before a route sees it; an error
becomes a problem with a status, or a page. Short texts are checked in the event loop, waiting for the disk happens in
threads, and work that may take for ever (HTML, explaining texts of strangers) happens in child processes, which are
killed after a time limit.
"""
