-- Variables of coroutines outlive them, and are closed by the collector in the midst of its work.
-- expect: fine or time
for _, mode in ipairs { "generational", "incremental" } do
  collectgarbage(mode)
  local old = { {} }
  for round = 1, 60 do
    local getters = {}
    for i = 1, 20 do
      local co = coroutine.create(function()
        local value
        local function get() return value[1] end
        value = coroutine.yield(get)
        coroutine.yield()
      end)
      local _, get = coroutine.resume(co)
      getters[i] = get
      if i % 3 == 0 then collectgarbage("step", 0) end
      old[i] = { "kept " .. i }
      coroutine.resume(co, { i })
    end
    for step = 1, 6 do
      collectgarbage("step", step % 2)
      for i, get in ipairs(getters) do assert(get() == i and old[i][1] == "kept " .. i) end
    end
  end
  collectgarbage()
end
