-- Contexts in contexts, as deep as they go.
-- expect: depth or error "" or time
local function deep(n) context("c" .. n, function() deep(n + 1) end) end
deep(1)
