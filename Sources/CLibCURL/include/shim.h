// libcurl: an HTTP client.
#pragma once
#include <curl/curl.h>
#include <stddef.h>

// curl_easy_setopt and curl_easy_getinfo are variadic: one function for each kind of value.
CURLcode rawmill_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode rawmill_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode rawmill_curl_set_text(CURL *handle, CURLoption option, const char *value);
/// The bytes must stay until the transfer is over.
CURLcode rawmill_curl_set_body(CURL *handle, const void *bytes, size_t count);
CURLcode rawmill_curl_set_headers(CURL *handle, struct curl_slist *headers);
/// Drops what the server sends as the body; more than `limit` bytes end the transfer. `count` must
/// stay until the transfer is over.
struct rawmill_curl_reply {
  size_t count;
  size_t limit;
};
CURLcode rawmill_curl_drop_reply(CURL *handle, struct rawmill_curl_reply *reply);
CURLcode rawmill_curl_status(CURL *handle, long *status);
CURLcode rawmill_curl_global_init(void);
