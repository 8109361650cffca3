-- A context whose function is stopped.
-- expect: time
context("endless", function()
  every(0.001, function() error("a timer of a context that was stopped") end)
  while true do end
end)
