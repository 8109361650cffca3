-- After each swallowed time-out the next call begins.
-- expect: time
local function again()
  pcall(function() while true do end end)
  return again()
end
again()
