-- Loops are left by every way while a fourth value is to be closed.
-- expect: fine
local open = 0
local function values(n)
  open = open + 1
  local closer = setmetatable({}, { __close = function() open = open - 1 end })
  return function(_, i) if i < n then return i + 1 end end, nil, 0, closer
end
local function leave(how)
  for i in values(10) do
    if how == "break" then break
    elseif how == "goto" then goto out
    elseif how == "return" then return i
    elseif how == "tail" then return leave("break")
    elseif how == "error" then error("x") end
    for j in values(3) do if j == 2 then break end end
  end
  ::out::
end
for _, how in ipairs { "break", "goto", "return", "tail", "end" } do leave(how) assert(open == 0, how) end
pcall(leave, "error")
assert(open == 0)
local function upvalues()
  local fs = {}
  for i in values(5) do fs[#fs + 1] = function() i = i + 1 return i end if i == 4 then break end end
  return fs
end
local fs = upvalues()
assert(open == 0 and fs[1]() == 2 and fs[4]() == 5)
