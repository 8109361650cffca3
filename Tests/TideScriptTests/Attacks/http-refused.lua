-- Servers that nobody has allowed, and addresses that are none.
-- expect: fine
local addresses = { "http://127.0.0.1/", "http://localhost:1/", "http://[::1]/", "http://0/", "",
  "http://2130706433/", "https://example.com", "file:///etc/passwd", "http://", "http://:80/", "http:",
  "http://user:password@127.0.0.1/", "http://a\0b/", "http://a:0/", "http://a:65536/", "http://a:x/",
  "gopher://a/", "http://[/", "http://]/", "http://a\r\nHost: b/", "\27]0;x\7" }
for _, address in ipairs(addresses) do
  for _, f in ipairs { http.get, http.put, http.post, http.patch, http.delete, http.lines } do
    assert(not pcall(f, address), address)
  end
  assert(not pcall(http.request, { url = address, method = "HEAD" }), address)
end
