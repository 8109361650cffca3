-- Each timer begins two more.
-- expect: fine or error "" or time or memory
-- leaves: nothing
local function more() after(0, more) after(0, more) end
more()
