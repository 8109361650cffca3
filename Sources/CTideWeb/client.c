#include "CTideWeb.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char page[] = {
#embed "client/page.html"
};
static const char script[] = {
#embed "client/client.js"
};
static const char style[] = {
#embed "client/client.css"
};

TideWebText tide_web_page(void) { return (TideWebText){page, sizeof page}; }
TideWebText tide_web_script(void) { return (TideWebText){script, sizeof script}; }
TideWebText tide_web_style(void) { return (TideWebText){style, sizeof style}; }
