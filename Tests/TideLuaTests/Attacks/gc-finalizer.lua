-- Finalizers, in which no hook runs, are refused.
-- expect: error "may not have '__gc'"
setmetatable({}, { __gc = function() while true do end end })
