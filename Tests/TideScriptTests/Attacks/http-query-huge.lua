-- A query of more entries than an address has room for.
-- expect: time or memory or error "make it shorter"
local query, value = {}, (" "):rep(1000)
for i = 1, 2000 do query["key" .. i] = value end
while true do
  local ok, why = pcall(http.get, "http://a/", { query = query })
  error(why, 0)
end
