-- Methods: what one changes settles when it returns, however it is left.

local function counter()
  local Counter = class "Counter" {
    a = 0, b = 0,
    both = function(self, n) self.a = n self.b = n return self.a + self.b, "and more" end,
    fail = function(self, n) self.a = n error("no " .. n, 0) end,
    wait = function(self, n) self.a = n coroutine.yield("waiting") self.b = n return n end,
    sum = function(self, n) if n == 0 then return 0 end return n + self:sum(n - 1) end,
    change = function(self, n) self:both(n) self:both(n + 1) end,
    closes = function(self, n)
      local guard <close> = setmetatable({}, { __close = function() self:both(n) end })
      error("closed", 0)
    end,
  }
  local o, seen = Counter {}, {}
  observe(o, "a", function(new) seen[#seen + 1] = "a" .. new .. " b" .. o.b end)
  return o, function()
    local text = table.concat(seen, ", ")
    seen = {}
    return text
  end
end

case("M1 a method's changes settle when it returns, with all its results", function()
  local o, seen = counter()
  local sum, rest = o:both(2)
  same(sum, 4)
  same(rest, "and more")
  same(seen(), "a2 b2")
  same(select("#", o:change(3)), 0)
  same(seen(), "a4 b4")
end)

case("M2 a method that fails settles what it changed before", function()
  local o, seen = counter()
  fails("no 5", o.fail, o, 5)
  same(seen(), "a5 b0")
  o:both(6)
  same(seen(), "a6 b6")
  fails("no 7", function() o:both(8) o:fail(7) end)
  same(seen(), "a8 b8, a7 b8")
end)

case("M3 an error caught inside a method leaves that method's batch open", function()
  local Outer = class "Outer" {
    run = function(self, o)
      pcall(o.fail, o, 1)
      o.b = 9
    end,
  }
  local o, seen = counter()
  Outer {}:run(o)
  same(seen(), "a1 b9")
end)

case("M4 a method that waits settles first, and again when it goes on", function()
  local o, seen = counter()
  local co = coroutine.wrap(function() return o:wait(3) end)
  same(co(), "waiting")
  same(seen(), "a3 b0")
  o.a = 4
  same(seen(), "a4 b0")
  same(co(), 3)
  same(o.b, 3)
  o.a = 5
  same(seen(), "a5 b3")
end)

case("M5 waiting and failing mix", function()
  local o, seen = counter()
  local co = coroutine.create(function()
    return pcall(function() coroutine.yield() o:fail(2) end)
  end)
  coroutine.resume(co)
  local Driver = class "Driver" { run = function(self) coroutine.resume(co) o.b = 7 end }
  Driver {}:run()
  same(seen(), "a2 b7")
  o.a = 1
  same(seen(), "a1 b7")
end)

case("M6 methods recurse as deep as functions", function()
  local o = counter()
  same(o:sum(50000), 50000 * 50001 // 2)
end)

case("M7 what a method leaves to be closed settles too", function()
  local o, seen = counter()
  fails("closed", o.closes, o, 3)
  same(seen(), "a3 b3")
  o.a = 4
  same(seen(), "a4 b3")
end)

case("M8 an abandoned coroutine inside a method closes nothing of others", function()
  local o, seen = counter()
  local co = coroutine.create(function() o:wait(1) end)
  coroutine.resume(co)
  coroutine.close(co)
  same(seen(), "a1 b0")
  o.a = 2
  same(seen(), "a2 b0")
end)

case("M9 an error in an observer does not undo the batch", function()
  local o, seen = counter()
  local ending = observe(o, "b", function() o:fail(9) end)
  o:both(1)
  same(seen(), "a1 b1, a9 b1")
  ending:cancel()
  o:both(2)
  same(seen(), "a2 b2")
end)

case("M10 an error of level 2 in a method is that of the line that called it", function()
  local Stock = class "Stock" {
    take = function(self) error("too few", 2) end,
    takeTwo = function(self) error("too few", 3) end,
    call = function(self) self:takeTwo() end,
    setUp = function(self) error("own line") end,
  }
  local kinds = {
    Stock {}, object { take = function(self) error("too few", 2) end },
    { take = function(self) error("too few", 2) end },
  }
  local location
  for _, stock in ipairs(kinds) do
    local ok, message = pcall(function()
      stock:take()
    end)
    location = location or message
    same(message, location)
    same(message:find("^.-methods%.lua:%d+: too few$") ~= nil, true)
  end
  local _, message = pcall(function() kinds[1]:setUp() end)
  same(message:find("^.-methods%.lua:%d+: own line$") ~= nil, true)
  local _, far = pcall(function()
    kinds[1]:call()
  end)
  same(tonumber(far:match(":(%d+): too few")) > tonumber(location:match(":(%d+): ")), true)
  same(select(2, pcall(error, "plain", 0)), "plain")
  same(select(2, pcall(error, "plain", 99)), "plain")
  local value = {}
  same(select(2, pcall(error, value, 2)), value)
  same(select(2, pcall(error)), nil)
  fails("number expected, got string", error, "x", "two")
end)
