// libpq: the PostgreSQL client library.
#pragma once
#include <postgresql/libpq-fe.h>

// Notices would go to stderr; rawmill's output is its own. A function pointer handler that takes a
// variadic-free signature could be written in Swift, but it would need a C calling convention
// closure for nothing.
void rawmill_pq_discard_notices(PGconn *connection);
