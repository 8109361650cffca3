-- A reader that gives spaces for ever is stopped by their number.
-- expect: error "the chunk is too long" or time
local chunk, message = load(function() return " " end)
error(message, 0)
