-- An endless loop, and a variable whose closing is one call of a library function that never ends.
-- expect: time or given up
local closing <close> = setmetatable({}, { __close = function()
  (("a"):rep(40)):find(("a?"):rep(40) .. ("a"):rep(40))
end })
while true do end
