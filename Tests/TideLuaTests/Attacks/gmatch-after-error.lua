-- The function of gmatch is called again after a match in it has failed.
-- expect: fine or time
local long = ("a"):rep(300000)
for _, pattern in ipairs { "(.-)b", ("(a"):rep(20) .. (")"):rep(20) .. "b", ("a?"):rep(300) .. "b", "%b()" } do
  local ok, next_match = pcall(string.gmatch, long, pattern)
  if ok then
    for i = 1, 4 do pcall(next_match) end
  end
end
local nested = ("("):rep(250) .. (")"):rep(250)
local ok, f = pcall(string.gmatch, ("x"):rep(300), ("(x-"):rep(25) .. (")"):rep(25) .. "y")
if ok then for i = 1, 4 do pcall(f) end end
