-- Contexts whose owner is gone, although what they hold captures it.

local source, target = object { v = 1 }, object { v = 0 }

local function endsWith(what, fill)
  local before
  do
    local owner = object { n = 1 }
    context(owner, function()
      bind("v -> v", source, target)
      fill(owner)
    end)
    source.v = source.v + 1
    same(target.v, source.v)
  end
  collectgarbage()
  collectgarbage()
  before = target.v
  source.v = source.v + 1
  if target.v ~= before then error(what .. " keeps the owner alive", 2) end
  same(#errors(), 0)
end

case("a closure that captures its context's owner does not keep the owner alive", function()
  endsWith("observe", function(owner)
    observe(source, "v", function() return owner.n end)
    observe(owner, function() return owner.n end)
    observe(source, "v", function() return owner.n end, { prior = true })
  end)
  endsWith("effect", function(owner)
    effect(function() return owner.n == 9 and print or nil end)
  end)
  endsWith("a notification", function(owner)
    notification.observe("posted", function() return owner end)
  end)
  endsWith("a timer", function(owner)
    after(9, function() return owner end)
    every(9, function() return owner end)
  end)
  endsWith("a binding", function(owner)
    local text = object { t = "" }
    bind(text, "t", function() return tostring(owner.n) end)
    bind("v -> t", source, text, {
      when = function() return owner.n == 1 end,
      transform = { transform = function(v) return v + owner.n end },
      observe = function() return owner.n end,
      validate = function(v) return owner.n and v end,
    })
  end)
  local list, button = list {}, view.button {}
  endsWith("a list or a view", function(owner)
    list:observe(function() return owner end)
    on(button, "touchUpInside", function() return owner end)
  end)
  endsWith("what is captured by way of a table, in a context inside", function(owner)
    local held = { owner }
    context("inside", function() observe(source, "v", function() return held[1].n end) end)
  end)
end)

case("an owner that only the app's objects have goes on, and stays the same value", function()
  local holder, seen = object { held = property {} }, {}
  do
    local owner = object { n = 1 }
    holder.held = owner
    context(owner, function()
      observe(source, "v", function() seen[#seen + 1] = holder.held == owner and owner.n end)
    end)
  end
  for i = 1, 5 do
    collectgarbage()
    source.v = source.v + 1
    same(#seen, i)
    same(seen[i], 1)
  end
  local again = holder.held
  again.n = 2
  source.v = source.v + 1
  same(seen[6], 2)
  again, holder.held = nil, nil
  collectgarbage()
  source.v = source.v + 1
  same(#seen, 6)
end)

case("what an owner's context runs may wait and fail, and counts its parameters", function()
  local owner = object { n = 1 }
  local parameters
  context(owner, function()
    after(1, function()
      sleep(1)
      owner.n = 2
    end)
    observe(source, "v", function(...) parameters = select("#", ...) end)
    observe(source, "v", function(_, old) error("after " .. old) end)
  end)
  advance(3)
  same(owner.n, 2)
  source.v = 5
  same(parameters, 3)
  same(errors()[1].message, "after 1")
end)

case("contexts that are opened again and again for owners that come and go leave nothing", function()
  local kept, held, total = {}, list {}, 0
  for round = 1, 1000 do
    local owner = object { n = round }
    local function watch() observe(source, "v", function() total = total + owner.n end) end
    context(owner, watch)
    kept[round % 20] = owner
    if round % 3 == 0 then held:append(owner) end
    if round % 7 == 0 then held:remove(1) end
    if round % 11 == 0 then context(owner, watch) end
    if round % 50 == 0 then collectgarbage() end
  end
  source.v = source.v + 1
  if total == 0 then error("nobody was told") end
  kept = {}
  held:clear()
  collectgarbage()
  collectgarbage()
  total = 0
  source.v = source.v + 1
  same(total, 0)
end)
