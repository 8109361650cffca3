-- Patterns with many wildcards, which almost match at every place.
-- expect: time or error "took longer"
local db = store.open("attack.db")
while true do
  db:value("SELECT hex(zeroblob(2000000)) LIKE ?", { ("%0"):rep(1000) .. "%1" })
  db:value("SELECT hex(zeroblob(2000000)) LIKE ?", { "%" .. ("0"):rep(1000) .. "1" })
end
