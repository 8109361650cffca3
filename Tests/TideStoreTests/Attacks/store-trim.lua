-- Trimming a long text of many characters.
-- expect: time or error "took longer"
local db = store.open("attack.db")
local set = {}
for code = 256, 10000 do set[#set + 1] = utf8.char(code) end
set = table.concat(set) .. "0"
while true do db:value("SELECT length(trim(hex(zeroblob(2000000)), ?))", { set }) end
