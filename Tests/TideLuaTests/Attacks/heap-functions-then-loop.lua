-- Very many functions and coroutines fill the memory, and then nothing ends.
-- expect: time or memory
local t
pcall(function()
  while true do
    local before = t
    t = function() return before end
    before = coroutine.create(t)
  end
end)
while true do pcall(coroutine.wrap(function() end)) end
