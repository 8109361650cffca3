-- Functions of derived lists that edit what they follow, or read what they make.
-- expect: fine or error "yield"
local l = list { 1, 2, 3 }
local filtered = l:filter(function(v)
  if #l < 100 then l:append(v) end
  return true
end)
local _ = #filtered
local cleared = l:map(function(v)
  l:clear()
  return v
end)
_ = #cleared
local lies = l:sorted(function() return true end)
for i = 1, 50 do l:insert(1, i) end
assert(#lies == #l)
local waits = l:filter(function() coroutine.yield() end)
_ = #waits
local doubled = concat(l, l)
doubled:observe(function() if #l < 80 then l:append(0) end end)
l:append(1)
assert(#doubled == 2 * #l)
