-- Addresses of megabytes, which are refused before they are read.
-- expect: fine
local addresses = { ("x"):rep(4000000), "http://" .. ("a."):rep(2000000),
  "http://" .. ("u@"):rep(2000000) .. "a/", "http://a:" .. ("1"):rep(4000000) .. "/",
  "http://a/" .. ("%zz"):rep(1000000) }
for _, address in ipairs(addresses) do
  for _, f in ipairs { http.get, http.post, http.lines } do
    local ok, why = pcall(f, address)
    assert(not ok and tostring(why):find("make it shorter", 1, true), tostring(why):sub(1, 200))
  end
end
