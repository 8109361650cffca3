-- One expression with thousands of parts, each of which goes through a value.
-- expect: time or error "took longer" or error "values may have" or error "at once" or error "memory"
local db = store.open("attack.db")
local function tree(leaf, depth)
  for _ = 1, depth do leaf = "(" .. leaf .. "+" .. leaf .. ")" end
  return "SELECT " .. leaf .. " FROM (SELECT ? AS x, ? AS y)"
end
while true do
  for _, leaf in ipairs { "(x=y)", "x", "length(x)", "abs(x)", "(x LIKE y)", "instr(x,y)", "json_valid(x)" } do
    for depth = 4, 13 do
      local value = ("1"):rep(4000000 >> depth)
      local done, why = pcall(db.value, db, tree(leaf, depth), { value, value })
      if not done and not tostring(why):find("values may have", 1, true) then error(why, 0) end
    end
  end
end
