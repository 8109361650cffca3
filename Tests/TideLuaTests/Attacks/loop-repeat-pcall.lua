-- Each round swallows the time-out and loops on.
-- expect: time
repeat
  pcall(function() while true do end end)
until false
