-- A handler that leaves the loop to a variable that is closed.
-- expect: time
xpcall(error, function()
  local t <close> = setmetatable({}, { __close = function() while true do end end })
end)
