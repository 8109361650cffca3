-- Methods and headers that would cut a request in two.
-- expect: fine
for _, text in ipairs { "GET / HTTP/1.1\r\nX: y", "CONNECT", "", "a b", "\27]0;x\7", ("x"):rep(1000000) } do
  assert(not pcall(http.request, { url = "http://a/", method = text }))
  assert(not pcall(http.get, "http://a/", { headers = { [text] = "x" } }))
  assert(not pcall(http.get, "http://a/", { headers = { x = text } }))
end
assert(not pcall(http.post, "http://a/", { body = "x", form = { a = 1 }, json = {} }))
