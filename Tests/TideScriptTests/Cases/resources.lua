-- Resources: values that are fetched.

local function tells(text, part)
  if not tostring(text):find(part, 1, true) then
    error(("expected text with %q, got %q"):format(part, tostring(text)), 2)
  end
end

local function fetching(seconds, options)
  local calls = {}
  local r = resource(function()
    calls[#calls + 1] = now()
    sleep(seconds)
    return #calls
  end, options)
  return r, calls
end

case("a resource loads and then has a value", function()
  local r = fetching(1, { initial = 0 })
  same(r.loading, true)
  same(r.value, 0)
  same(r.updated, nil)
  advance(1)
  same(r.loading, false)
  same(r.value, 1)
  same(r.updated, now())
  same(r.error, nil)
end)

case("a resource runs again when what it read before its first wait changes", function()
  local city = object { name = "Ulm", late = 1 }
  local r = resource(function()
    local name = city.name
    sleep(1)
    return name .. city.late
  end)
  advance(1)
  same(r.value, "Ulm1")
  city.late = 2
  advance(2)
  same(r.value, "Ulm1")
  city.name = "Rom"
  same(r.loading, true)
  same(r.value, "Ulm1")
  advance(1)
  same(r.value, "Rom2")
end)

case("a result that has been overtaken is dropped", function()
  local city = object { name = "a" }
  local seen = {}
  local r = resource(function()
    local name = city.name
    sleep(name == "a" and 5 or 1)
    return name
  end)
  observe(r, "value", function(v) seen[#seen + 1] = v end)
  advance(1)
  city.name = "b"
  advance(10)
  same(table.concat(seen, ","), "b")
end)

case("an error leaves the value, and is text", function()
  local fails = false
  local r = resource(function()
    sleep(1)
    if fails then error("it rains") end
    return 7
  end)
  advance(1)
  fails = true
  r:refresh()
  advance(1)
  same(r.value, 7)
  tells(r.error, "it rains")
  same(#errors(), 1)
  fails = false
  r:refresh()
  advance(1)
  same(r.error, nil)
  same(#errors(), 0)
end)

case("every counts from the beginning of a run, and runs never overlap", function()
  local r, calls = fetching(1, { every = 3 })
  advance(7)
  same(joined(calls), "0.0,3.0,6.0")
  local slow, starts = fetching(5, { every = 2 })
  local first = now()
  advance(11)
  for i, at in ipairs(starts) do starts[i] = at - first end
  same(#starts, 3)
  same(starts[3] - starts[2] >= 5, true)
end)

case("when holds a resource back, and is followed", function()
  local live = object { on = false }
  local r, calls = fetching(1, { when = function() return live.on end })
  advance(2)
  same(#calls, 0)
  same(r.loading, false)
  live.on = true
  advance(1)
  same(r.value, 1)
  live.on = false
  live.on = true
  live.on = false
  same(r.loading, false)
  advance(5)
  same(r.value, 1)
end)

case("when may be a path", function()
  local settings = model "settingsOfResource" { live = false }
  local r, calls = fetching(1, { when = "settingsOfResource.live" })
  advance(1)
  same(#calls, 0)
  settings.live = true
  advance(1)
  same(r.value, 1)
end)

case("what fails is tried again with growing delays", function()
  local calls = {}
  local r = resource(function()
    calls[#calls + 1] = now()
    if #calls < 4 then error("no") end
    return "yes"
  end, { retry = { times = 3, delay = 1 } })
  same(r.loading, true)
  same(r.error, nil)
  advance(20)
  same(joined(calls), "0.0,1.0,3.0,7.0")
  same(r.value, "yes")
  same(#errors(), 0)
end)

case("the last try's error counts", function()
  local r = resource(function() error("no") end, { retry = { times = 2, delay = 1 } })
  advance(2)
  same(r.loading, true)
  advance(1)
  same(r.loading, false)
  tells(r.error, "no")
end)

case("a timeout ends what takes longer", function()
  local closed = false
  local r = resource(function()
    local guard <close> = setmetatable({}, { __close = function() closed = true end })
    sleep(100)
  end, { timeout = 2 })
  advance(2)
  same(closed, true)
  tells(r.error, "2 s")
  same(r.loading, false)
  same(#errors(), 0)
end)

case("cancel ends what is under way, until refresh", function()
  local r, calls = fetching(1, { every = 2 })
  advance(1)
  advance(1)
  r:cancel()
  same(r.loading, false)
  advance(10)
  same(#calls, 2)
  same(r.value, 1)
  r:refresh()
  advance(1)
  same(r.value, 3)
  advance(2)
  same(#calls, 4)
end)

case("a resource ends with its context", function()
  local r, calls
  context("page", function() r, calls = fetching(1, { every = 1 }) end)
  advance(2.5)
  context.clear("page")
  local count = #calls
  advance(5)
  same(#calls, count)
  same(r.loading, false)
end)

case("a resource in a disabled context stands still", function()
  local city = object { name = "a" }
  local calls = 0
  context("page", function()
    resource(function() calls = calls + 1 return city.name end, { every = 1 })
  end)
  context.disable("page")
  advance(5)
  city.name = "b"
  same(calls, 1)
  context.enable("page")
  same(calls, 2)
end)

case("a named resource is found in paths, also below a value that is not there yet", function()
  local label = view.label { bindTo = { text = "weatherOfCase.value.temperature | number(1)" } }
  local r = resource(function() sleep(1) return { temperature = 21.55 } end, { name = "weatherOfCase" })
  same(label.text, "")
  same(#errors(), 0)
  advance(1)
  same(label.text, "21.6")
  same(models.weatherOfCase, r)
end)

case("what has not changed in a value stays the same object", function()
  local n = 1
  local r = resource(function()
    return { rows = { { id = 1, n = 1 }, { id = 2, n = n } }, kind = { a = 1 } }
  end)
  local value, first, second, kind = r.value, r.value.rows[1], r.value.rows[2], r.value.kind
  local told = 0
  observe(r, "value", function() told = told + 1 end)
  r:refresh()
  same(r.value, value)
  same(told, 0)
  n = 2
  r:refresh()
  same(told, 1)
  same(r.value.rows[1], first)
  same(r.value.rows[2] ~= second, true)
  same(r.value.rows[2].n, 2)
  same(r.value.kind, kind)
end)

case("keep ends the fetching of what nobody observes, until somebody does", function()
  local r, calls = fetching(0, { every = 1, keep = 3 })
  advance(10)
  local count = #calls
  same(count < 8, true)
  advance(10)
  same(#calls, count)
  local label = view.label { text = function() return r.value end }
  advance(2)
  same(#calls > count, true)
  advance(10)
  same(#calls > count + 8, true)
end)

case("a resource that reads itself is an error", function()
  local r
  r = resource(function()
    local _ = r and r.value
    sleep(1)
    return now()
  end)
  r:refresh()
  advance(1)
  advance(1)
  same(#errors(), 1)
  tells(errors()[1].message, "run for ever")
  same(r.loading, false)
end)

case("a resource cannot take the name of a model", function()
  model "taken" { n = 1 }
  fails("there is a model \"taken\" already", function() resource(print, { name = "taken" }) end)
  same(models.taken.n, 1)
end)

case("wrong options of a resource are named", function()
  fails("option \"evry\"", function() resource(print, { evry = 1 }) end)
  fails("more than 0", function() resource(print, { every = 0 }) end)
  fails("more than 0", function() resource(print, { timeout = -1 }) end)
  fails("retry", function() resource(print, { retry = 3 }) end)
  fails("\"tmes\"", function() resource(print, { retry = { tmes = 3 } }) end)
  fails("when", function() resource(print, { when = 1 }) end)
  local r = resource(function() return 1 end)
  fails("read only", function() r.value = 2 end)
  fails("read only", function() r.loading = true end)
end)
