-- A hundred thousand contexts begun and never finished.
-- expect: error "contexts are open"
for i = 1, 100000 do context.begin("c" .. i) end
