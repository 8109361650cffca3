-- Each timer begins two more.
-- expect: fine or error "" or time or memory
local function more() after(0, more) after(0, more) end
more()
