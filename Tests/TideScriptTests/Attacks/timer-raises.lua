-- A timer whose function fails every time.
-- expect: error "boom"
every(0.001, function() error("boom") end)
