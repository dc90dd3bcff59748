// GNU libmicrohttpd: a small HTTP server in a thread of its own.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What a server does not give up for a client: starting a daemon is variadic, and an answer is
// made, queued and freed in one piece, so Swift sees these functions alone.

/// A request without its body, which is never read. `path` is unescaped and without its query. The
/// answer is given by rawmill_http_answer with `connection` before this returns; 0: closes the
/// connection.
typedef int (*rawmill_http_handler)(void *context, void *connection, const char *method,
                                    const char *path);

/// Limits of a server, against clients of ill will.
struct rawmill_http_limits {
  unsigned connections;
  unsigned connections_per_address;
  unsigned idle_seconds;
  size_t header_bytes;
};

/// A running server on a numeric IPv4 or IPv6 address; NULL with errno if it cannot listen there.
/// Port 0 takes a free one. `handler` is called in one thread of the server's own.
void *rawmill_http_start(const char *address, uint16_t port, struct rawmill_http_limits limits,
                         rawmill_http_handler handler, void *context);
/// The port that a server listens on.
uint16_t rawmill_http_port(void *server);
/// Ends a server, its thread and its connections; no handler runs afterwards.
void rawmill_http_stop(void *server);

/// Answers a request with bytes, which are copied. `name` and `value`: one more header, or NULL.
int rawmill_http_answer(void *connection, unsigned status, const char *content_type,
                        const char *name, const char *value, const void *bytes, size_t count);
/// Whether an address is a numeric IPv4 or IPv6 address.
int rawmill_http_is_address(const char *address);
