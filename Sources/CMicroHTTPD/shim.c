#include "shim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct server {
  struct MHD_Daemon *daemon;
  rawmill_http_handler handler;
  void *context;
};

// Called first with the header alone: answering then means that a body is never read, and that the
// connection ends after a request which has one.
static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload_data,
                              size_t *upload_data_size, void **request) {
  (void)version;
  (void)upload_data;
  (void)upload_data_size;
  (void)request;
  struct server *server = cls;
  return server->handler(server->context, connection, method, url) ? MHD_YES : MHD_NO;
}

static int parse(const char *text, uint16_t port, struct sockaddr_storage *address) {
  memset(address, 0, sizeof *address);
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
  if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return 1;
  }
  memset(address, 0, sizeof *address);
  if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    return 1;
  }
  return 0;
}

int rawmill_http_is_address(const char *address) {
  struct sockaddr_storage storage;
  return parse(address, 0, &storage);
}

void *rawmill_http_start(const char *address, uint16_t port, struct rawmill_http_limits limits,
                         rawmill_http_handler handler, void *context) {
  struct sockaddr_storage storage;
  if (!parse(address, port, &storage)) {
    errno = EINVAL;
    return NULL;
  }
  struct server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->handler = handler;
  server->context = context;
  unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO;
  if (storage.ss_family == AF_INET6) flags |= MHD_USE_IPv6;
  errno = 0;
  server->daemon = MHD_start_daemon(
      flags, port, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&storage,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
      limits.connections_per_address, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.header_bytes, MHD_OPTION_END);
  if (!server->daemon) {
    int error = errno ? errno : EADDRNOTAVAIL;
    free(server);
    errno = error;
    return NULL;
  }
  return server;
}

uint16_t rawmill_http_port(void *server) {
  const union MHD_DaemonInfo *info =
      MHD_get_daemon_info(((struct server *)server)->daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

void rawmill_http_stop(void *server) {
  MHD_stop_daemon(((struct server *)server)->daemon);
  free(server);
}

int rawmill_http_answer(void *connection, unsigned status, const char *content_type,
                        const char *name, const char *value, const void *bytes, size_t count) {
  // Copied, so the pointer is not written through.
  struct MHD_Response *response =
      MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (!response) return 0;
  int isQueued = MHD_add_response_header(response, "Content-Type", content_type) == MHD_YES;
  if (name && value) isQueued = isQueued && MHD_add_response_header(response, name, value) == MHD_YES;
  if (isQueued) isQueued = MHD_queue_response(connection, status, response) == MHD_YES;
  MHD_destroy_response(response);
  return isQueued;
}
