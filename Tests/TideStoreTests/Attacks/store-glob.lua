-- Patterns with many wildcards and sets, which almost match at every place.
-- expect: time or error "took longer"
local db = store.open("attack.db")
while true do
  db:value("SELECT hex(zeroblob(2000000)) GLOB ?", { ("*0"):rep(1000) .. "*1" })
  db:value("SELECT hex(zeroblob(2000000)) GLOB ?", { "*" .. ("[1-90]"):rep(1000) .. "1" })
end
