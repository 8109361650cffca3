-- A handler without hooks whose comparator loops.
-- expect: time
xpcall(error, function()
  table.sort({ 1, 2, 3 }, function() while true do end end)
end)
