-- An operand of a bitwise operator is taken for a constant where a function has many: a text's address
-- would be told as a number.
-- expect: fine
local function check(kind, code, wanted)
  local pieces = {}
  for i = 1, 257 do pieces[i] = kind(i) end
  local f, message = load("local x = {" .. table.concat(pieces, ",") .. "} " .. code)
  if not f then assert(message:find "bitwise") return end
  local value = f()
  assert(math.type(value) == "integer" and value >= -1024 and value < 1024, value)
end
local kinds = {
  function(i) return ("'text that is %d'"):format(i) end,
  function(i) return i .. ".5" end,
  function(i) return 1000 - i end,
}
for _, kind in ipairs(kinds) do
  for _, operator in ipairs { "~", "|", "&", "+", "<<" } do
    check(kind, ("return 1 %s (2 or 3)"):format(operator))
    check(kind, ("local a = 5 return 1 %s (a and 3 or a)"):format(operator))
  end
end
