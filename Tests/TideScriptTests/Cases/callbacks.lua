
-- What others read does not count for the effect or the computed value around them.

-- How often an effect runs again when what only others read has changed.
local function runsAgain(body)
  local read, runs = object { n = 0 }, 0
  local made = effect(function()
    runs = runs + 1
    if runs < 5 then body(read) end
  end)
  local before = runs
  read.n = 1
  made:cancel()
  return runs - before
end

local source = object { v = 1, l = list { 1, 2 } }
local ways = {
  observer = function(r) observe(source, "v", function() return r.n end, { initial = true }) end,
  ["list observer"] = function(r)
    source.l:observe(function() return r.n end, { initial = true })
  end,
  ["observer that is written to"] = function(r)
    local o = object { v = 0 }
    observe(o, "v", function() return r.n end)
    o.v = 1
  end,
  ["prior observer"] = function(r)
    local o = object { v = 0 }
    observe(o, "v", function() return r.n end, { prior = true })
    o.v = 1
  end,
  ["binding's transformer"] = function(r)
    bind("v -> v", source, object { v = 0 }, { transform = function(v) return v + r.n end })
  end,
  ["transformer of a binding that is written to"] = function(r)
    local a, b = object { v = 0 }, object { v = 0 }
    untracked(function()
      bind("v -> v", a, b, { transform = function(v) return v + r.n * 0 end })
    end)
    a.v = 2
  end,
  ["transformer after a batch"] = function(r)
    local a, b = object { v = 0 }, object { v = 0 }
    untracked(function()
      bind("v -> v", a, b, { transform = function(v) return v + r.n * 0 end })
    end)
    batch(function() a.v = 2 end)
  end,
  ["binding's validator"] = function(r)
    bind("v -> v", source, object { v = 0 }, { validate = function(v) return v + r.n end })
  end,
  ["binding's function"] = function(r) bind(object { v = 0 }, "v", function() return r.n end) end,
  ["binding's observer"] = function(r)
    bind("v -> v", source, object { v = 0 }, { observe = function() return r.n end })
  end,
  condition = function(r)
    bind("v -> v", source, object { v = 0 }, { when = function() return r.n >= 0 end })
  end,
  validator = function(r)
    local o = object { v = property { default = 0, validate = function(_, v) return v + r.n * 0 end } }
    o.v = 4
  end,
  setter = function(r)
    local o = object {
      x = 0,
      v = computed(function(s) return s.x end, function(s, v) s.x = v + r.n * 0 end),
    }
    o.v = 4
  end,
  filter = function(r) source.l:filter(function(x) return x > r.n end) end,
  comparison = function(r) source.l:sorted(function(x, y) return x + r.n < y + r.n end) end,
  ["inner effect"] = function(r) effect(function() return r.n end) end,
  ["inner clean-up"] = function(r)
    effect(function() return function() return r.n end end):cancel()
  end,
  notification = function(r)
    notification.observe("note", function() return r.n end)
    notification.post("note")
  end,
  trigger = function(r)
    local o = object { go = function() end }
    bind("v -> v", source, object { v = 0 },
      { trigger = trigger.call(o, "go"), transform = function(v) return v + r.n end })
    o:go()
  end,
}

case("V1 what is called back is not read by the effect around it", function()
  for name, way in pairs(ways) do
    local runs = runsAgain(way)
    if runs > 0 then error(name .. " counts for the effect around it") end
  end
end)

case("V2 what an effect calls itself is read by it", function()
  local C = class "C" { v = 0, get = function(self) return self.v end }
  local o = C {}
  same(runsAgain(function(r) return r.n end), 1)
  local seen
  effect(function() seen = o:get() end)
  o.v = 3
  same(seen, 3)
end)
