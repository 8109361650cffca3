-- A number before a bitwise operator is left out of the code on some ways where a function has many constants,
-- and what was in its place is used.
-- expect: fine
local function check(kind, code)
  local pieces = {}
  for i = 1, 257 do pieces[i] = kind(i) end
  local long, message = load("local x = {" .. table.concat(pieces, ",") .. "} " .. code)
  if not long then assert(message:find "bitwise", message) return end
  assert(long() == load(code)(), code)
end
local kinds = {
  function(i) return ("'text that is %d'"):format(i) end,
  function(i) return i .. ".5" end,
  function(i) return 1000 - i end,
}
local operands = {
  "return 1 %s (2 or 3)", "local a = 5 return 1 %s (a and 3 or a)", "local a = 5 return 1 %s (a or 3)",
  "local a = 5 local function f() return a end return 70000 %s (f() or 3)",
  "local a, b = 5, {} return (a or 2) %s 1, 1 %s (a and a)",
  "local a = 5 if a then a = 6 end return a %s 3", "local a = 5 return (a and 2 or 3) %s a",
  "local a = 5 return (a < 3 and 2 or 3) %s (a > 3 and a or 9)",
}
for _, kind in ipairs(kinds) do
  for _, operator in ipairs { "~", "|", "&", "+", "<<" } do
    for _, code in ipairs(operands) do check(kind, (code:gsub("%%s", operator))) end
  end
end
