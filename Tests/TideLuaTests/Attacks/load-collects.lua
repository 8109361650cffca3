-- Thousands of chunks are loaded and dropped, which alone must make the collector work.
-- expect: fine or time
local text = "return function(a, b) return { a, b, 'some text of its own' } end"
for i = 1, 20000 do assert(load(text .. " --" .. i)) end
