
-- Effects that end themselves, or what they belong to, at any moment.

local function logging()
  local log = {}
  return function(word) log[#log + 1] = word end, function() return table.concat(log, " ") end
end

case("Z1 an effect that cancels itself cleans up what that run has made", function()
  local o, add, log = object { n = 0, m = 0 }, logging()
  local running
  running = effect(function()
    add("run" .. o.n)
    if running then running:cancel() end
    observe(o, "m", function() add("seen") end)
    return function() add("clean") end
  end)
  o.m = 1
  o.n = 1
  o.m = 2
  o.n = 2
  same(log(), "run0 seen clean run1 clean")
end)

case("Z2 a clean-up that cancels its own effect ends it", function()
  local o, add, log = object { n = 0 }, logging()
  local running
  running = effect(function()
    add("run" .. o.n)
    return function()
      add("clean")
      running:cancel()
    end
  end)
  o.n = 1
  o.n = 2
  same(log(), "run0 clean")
end)

case("Z3 an effect that clears its context in its first run ends", function()
  local o, add, log = object { n = 0, m = 0 }, logging()
  context("own", function()
    effect(function()
      add("run" .. o.n)
      context.clear("own")
      observe(o, "m", function() add("seen") end)
      return function() add("clean") end
    end)
  end)
  o.n = 1
  o.m = 1
  same(log(), "run0 clean")
end)

case("Z4 an effect in an effect ends both, each with its clean-up", function()
  for _, last in ipairs { 0, 1 } do
    local o, add, log = object { n = 0, m = 0 }, logging()
    context("own", function()
      effect(function()
        add("outer")
        effect(function()
          add("inner" .. o.m)
          if o.m == last then context.clear("own") end
          return function() add("in") end
        end)
        return function() add("out") end
      end)
    end)
    o.m = 1
    o.n = 1
    o.m = 2
    same(log(), last == 0 and "outer inner0 in out" or "outer inner0 in inner1 out in")
  end
end)

case("Z5 an effect that fails in the run that ends it has ended", function()
  local o, add, log = object { n = 0 }, logging()
  local running
  running = effect(function()
    add("run" .. o.n)
    if running then
      running:cancel()
      error "over"
    end
    return function() add("clean") end
  end)
  o.n = 1
  o.n = 2
  same(log(), "run0 clean run1")
end)

case("Z6 an observer that clears its context in its first call has been told once", function()
  local o, l, add, log = object { n = 0 }, list { 1 }, logging()
  context("own", function()
    observe(o, "n", function()
      add "value"
      context.clear("own")
    end, { initial = true })
    l:observe(function()
      add "list"
      context.clear("own")
    end, { initial = true })
  end)
  o.n = 1
  l:append(2)
  same(log(), "value list")
end)
