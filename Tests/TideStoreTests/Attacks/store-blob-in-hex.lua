-- Results that are larger than the memory that is left, made from nothing.
-- expect: fine
local db = store.open("attack.db")
for _, call in ipairs { "hex(randomblob(16000000))", "hex(hex(randomblob(8000000)))", "replace(hex(zeroblob(4000000)), '0', 'abcdefgh')",
  "quote(randomblob(16000000))", "randomblob(900000000)", "hex(zeroblob(900000000))", "zeroblob(900000000) || 'x'" } do
  local done, why = pcall(db.value, db, "SELECT " .. call)
  assert(not done and (tostring(why):find("memory", 1, true) or tostring(why):find("too big", 1, true)), call .. ": " .. tostring(why))
end
