-- A callback that calls gsub with itself.
-- expect: depth or error "C stack overflow" or error "stack overflow"
local function again(c) return (c:gsub(".", again)) end
return ("xx"):gsub(".", again)
