-- A script that turns the collector off gets no further for it.
-- expect: time
collectgarbage("stop")
collectgarbage("generational")
collectgarbage("setpause", 1000000)
collectgarbage("setstepmul", 0)
collectgarbage("incremental", 1000, 1, 1)
assert(collectgarbage("isrunning"))
while true do local t = { {} } end
