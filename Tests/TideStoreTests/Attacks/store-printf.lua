-- Formats that are as wide as a number.
-- expect: fine
local db = store.open("attack.db")
for _, call in ipairs { "printf('%.*c', 900000000, 'x')", "format('%.900000000c', 'x')", "printf('%900000000d', 1)",
  "printf('%*d', 900000000, 1)", "printf('%.900000000f', 1.0)", "printf('%-*s', -900000000, 'x')", "format('%.*d', 2147483647, 1)" } do
  local done, why = pcall(db.value, db, "SELECT " .. call)
  assert(not done and tostring(why):find("more than 1000", 1, true), why)
end
assert(db:value("SELECT printf('%05.1f %s %d%% %Q', 2.25, 'a', 3, 'it''s')").value == "002.3 a 3% 'it''s'"
  or db:value("SELECT printf('%05.1f', 2.25)").value == "002.2")
