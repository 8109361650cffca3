-- The project's configuration does not let itself be stopped.
-- file: .busted
-- arguments: --timeout 1
-- expect: .busted cannot be run
local _ <close> = setmetatable({}, { __close = function() while true do end end })
while true do pcall(error) end
