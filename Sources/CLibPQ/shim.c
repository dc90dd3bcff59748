#include "shim.h"

static void discard(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

void rawmill_pq_discard_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, discard, 0);
}
