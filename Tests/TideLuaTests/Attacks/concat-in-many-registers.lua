-- A function that uses nearly all registers joins values, whose metatable makes the stack grow.
-- expect: fine
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local x = setmetatable({}, { __concat = function(a, b) deep(3000) return a end })
for registers = 150, 250, 5 do
  local names = {}
  for i = 1, 150 do names[i] = "a" .. i end
  local operands = {}
  for i = 1, registers - 150 do operands[i] = "x" end
  local source = "local x = ... local " .. table.concat(names, ",") .. " = 1 return "
    .. table.concat(operands, " .. ")
  if #operands == 0 then source = source .. "x" end
  local f, message = load(source)
  if f then assert(f(x) == x) else assert(message:find "register") end
end
