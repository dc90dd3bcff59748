#include "shim.h"

CURLcode rawmill_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode rawmill_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode rawmill_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode rawmill_curl_set_body(CURL *handle, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POST, 1L);
  if (code == CURLE_OK) {
    code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  }
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
  return code;
}

CURLcode rawmill_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  struct rawmill_curl_reply *reply = context;
  // `size` is 1 by libcurl's contract; it hands over 16 kB at most.
  reply->count += size * count;
  return reply->count <= reply->limit ? size * count : 0;
}

CURLcode rawmill_curl_drop_reply(CURL *handle, struct rawmill_curl_reply *reply) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, drop);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, reply);
  return code;
}

CURLcode rawmill_curl_status(CURL *handle, long *status) {
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

CURLcode rawmill_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
