#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "TideHTTP.h"
#include "curl.h"

struct curl_functions curl;

// MARK: Opening the library

static char reason[512];
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, sizeof reason, "%s", dlerror());
    return;
  }
#define CURL_FIND(result, name, parameters)                                            \
  if (!(curl.name = (result(*) parameters)dlsym(library, "curl_" #name))) {             \
    snprintf(reason, sizeof reason, "it is older than 7.68: curl_" #name " is missing"); \
    return;                                                                            \
  }
  CURL_FUNCTIONS(CURL_FIND)
  if (curl.global_init(CURL_ALL) != 0) {
    snprintf(reason, sizeof reason, "it cannot be initialized");
    return;
  }
  is_loaded = true;
}

const char *tide_http_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? NULL : reason;
}

// MARK: Addresses

TideURL *tide_url_make(const char *text, const TideURL *base, bool anyScheme, int32_t *failure) {
  CURLU *url = base ? curl.url_dup((const CURLU *)base) : curl.url();
  *failure = -1;
  if (!url) return NULL;
  *failure = curl.url_set(url, TIDE_URL_ALL, text, anyScheme ? CURLU_NON_SUPPORT_SCHEME : 0);
  if (*failure == 0) return (TideURL *)url;
  curl.url_cleanup(url);
  return NULL;
}

void tide_url_free(TideURL *url) { curl.url_cleanup((CURLU *)url); }

char *tide_url_part(TideURL *url, TideURLPart part) {
  char *text = NULL;
  if (curl.url_get((CURLU *)url, (int)part, &text, 0) != 0) return NULL;
  char *copy = NULL;
  if (asprintf(&copy, "%s", text) < 0) copy = NULL;
  curl.free(text);
  return copy;
}

int32_t tide_url_port(TideURL *url, bool orUsual) {
  char *text = NULL;
  unsigned int flags = orUsual ? CURLU_DEFAULT_PORT : 0;
  if (curl.url_get((CURLU *)url, CURLUPART_PORT, &text, flags) != 0) return -1;
  int32_t port = atoi(text);
  curl.free(text);
  return port;
}
