-- A stream into which something is pushed for ever.
-- expect: time or memory
kept = stream(function(push) while true do push(("x"):rep(100)) end end, { limit = 10 })
kept:refresh()
