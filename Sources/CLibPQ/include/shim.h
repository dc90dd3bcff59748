// libpq: the PostgreSQL client library.
#pragma once
#include <postgresql/libpq-fe.h>
