-- A reader that always gives more.
-- expect: error "the chunk is too long" or time
local chunk, message = load(function() return "x = 1 " end)
error(message, 0)
