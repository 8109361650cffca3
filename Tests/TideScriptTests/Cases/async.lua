-- Everything that waits: tasks, callbacks, asynchronous transformers, feeds.

local function label(text) return object { text = text or "" } end

-- Clears the context "screen" between two writes.
local function clearBetweenWrites(o)
  o.value = 1
  context.clear("screen")
  o.value = 2
end

-- MARK: Tasks

case("spawn runs until it first waits and await gives the results", function()
  local steps = {}
  local task = spawn(function(a, b)
    steps[#steps + 1] = "begun"
    sleep(1)
    return a + b, nil, "three"
  end, 20, 22)
  same(steps[1], "begun")
  same(task.state, "waiting")
  local results = table.pack(await(task))
  same(results.n, 3)
  same(results[1], 42)
  same(results[3], "three")
  same(task.state, "finished")
  same(tostring(task), "task: finished")
  same(select("#", await(task)), 3)
end)

case("await of a task that has ended does not wait", function()
  local task = spawn(function() return 7 end)
  local o = object { double = computed(function() return 2 * await(task) end) }
  same(o.double, 14)
end)

case("sleep lets the rest of the app run", function()
  local log = {}
  spawn(function() sleep(2) log[#log + 1] = "two" end)
  spawn(function() sleep(1) log[#log + 1] = "one" end)
  after(1.5, function() log[#log + 1] = "timer" end)
  local before = now()
  sleep(3)
  same(table.concat(log, " "), "one timer two")
  same(now() - before, 3)
end)

case("sleep of no time waits for the next turn", function()
  local log = {}
  local task = spawn(function() sleep(0) log[#log + 1] = "task" end)
  log[#log + 1] = "main"
  await(task)
  same(table.concat(log, " "), "main task")
end)

case("an error of a task is raised in whoever awaits it", function()
  local task = spawn(function() sleep(1) error("no fruit") end)
  fails("async.lua:", await, task)
  fails("no fruit", await, task)
  same(type(select(2, pcall(await, task))), "string")
  same(task.state, "failed")
  sleep(1)
  same(#errors(), 0)
end)

case("an error that is a table stays that table", function()
  local sign = { code = 7 }
  local late = spawn(function() sleep(1) error(sign) end)
  local ok, caught = pcall(await, late)
  same(ok, false)
  same(caught, sign)
  local early = spawn(function() error(sign) end)
  same(select(2, pcall(await, early)), sign)
end)

case("a task that failed and is never awaited is listed with its place", function()
  spawn(function() sleep(1) error("lost") end)
  spawn(function() error("at once") end)
  sleep(2)
  same(#errors(), 2)
  same(errors()[1].message, "at once")
  same(errors()[2].message, "lost")
  assert(errors()[2].location:find("async.lua:", 1, true))
end)

case("a cancelled task runs no further and closes its variables", function()
  local log = {}
  local task = spawn(function()
    local held <close> = setmetatable({}, { __close = function() log[#log + 1] = "closed" end })
    sleep(1)
    log[#log + 1] = "late"
  end)
  task:cancel()
  same(table.concat(log, " "), "closed")
  same(task.state, "cancelled")
  task:cancel()
  sleep(2)
  same(#log, 1)
  fails("the task was cancelled", await, task)
  same(#errors(), 0)
end)

case("whoever awaits a task that is cancelled gets an error", function()
  local task = spawn(sleep, 5)
  after(1, function() task:cancel() end)
  fails("the task was cancelled", await, task)
end)

case("an awaiting task can be cancelled and what it awaits goes on", function()
  local inner = spawn(function() sleep(1) return "kept" end)
  local outer = spawn(function() return await(inner) end)
  outer:cancel()
  same(await(inner), "kept")
end)

case("a task that cancels itself ends at its next wait", function()
  local log = {}
  local task
  task = spawn(function()
    sleep(1)
    task:cancel()
    log[#log + 1] = "still running"
    sleep(1)
    log[#log + 1] = "never"
  end)
  sleep(3)
  same(table.concat(log, " "), "still running")
  same(task.state, "cancelled")
end)

case("tasks that await each other are told so", function()
  local first, second
  first = spawn(function() sleep(1) return await(second) end)
  second = spawn(function() sleep(1) return await(first) end)
  fails("await each other", await, first)
  local own
  own = spawn(function() sleep(1) return await(own) end)
  fails("awaits itself", await, own)
end)

case("clearing the context of a task cancels it", function()
  local log = {}
  context("screen", function()
    spawn(function() sleep(1) log[#log + 1] = "late" end)
    after(0.2, function() sleep(1) log[#log + 1] = "later" end)
  end)
  sleep(0.5)
  context.clear("screen")
  sleep(3)
  same(#log, 0)
end)

case("a task that clears its own context ends where it waits next", function()
  local log = {}
  context("screen", function()
    spawn(function()
      sleep(1)
      context.clear("screen")
      log[#log + 1] = "cleared"
      sleep(1)
      log[#log + 1] = "never"
    end)
    after(1.5, function()
      context.clear("screen")
      sleep(0)
      log[#log + 1] = "never"
    end)
  end)
  sleep(3)
  same(table.concat(log, " "), "cleared")
end)

case("the tasks of a disabled context stand still", function()
  local log = {}
  local other = spawn(function() sleep(1) return "other" end)
  context("screen", function()
    spawn(function() sleep(1) log[#log + 1] = "slept" end)
    spawn(function()
      local word = await(other)
      log[#log + 1] = word
    end)
  end)
  context.disable("screen")
  sleep(5)
  same(#log, 0)
  context.enable("screen")
  sleep(1)
  table.sort(log)
  same(table.concat(log, " "), "other slept")
end)

case("a task goes on in its own context", function()
  local log, o = {}, object { value = 0 }
  local task
  context("screen", function()
    task = spawn(function()
      sleep(1)
      observe(o, "value", function(new) log[#log + 1] = new end)
    end)
  end)
  await(task)
  clearBetweenWrites(o)
  same(table.concat(log, " "), "1")
end)

case("a context that is open while its function waits is open again afterwards", function()
  local log, o = {}, object { value = 0 }
  local inside = context("screen", function()
    sleep(1)
    observe(o, "value", function(new) log[#log + 1] = new end)
    fails("without a context.begin()", context.finish)
    return "given"
  end)
  same(inside, "given")
  observe(o, "value", function(new) log[#log + 1] = "main " .. new end)
  clearBetweenWrites(o)
  same(table.concat(log, " "), "1 main 1 main 2")
end)

case("an error after a wait clears the context that it leaves", function()
  local log, o = {}, object { value = 0 }
  fails("broken", context, "screen", function()
    observe(o, "value", function(new) log[#log + 1] = new end)
    sleep(1)
    error("broken")
  end)
  o.value = 1
  same(#log, 0)
end)

case("context.begin holds while the script waits and is its own", function()
  local log, o = {}, object { value = 0 }
  local task = spawn(function()
    context.begin("screen")
    sleep(2)
    observe(o, "value", function(new) log[#log + 1] = new end)
    context.finish()
  end)
  sleep(1)
  fails("without a context.begin()", context.finish)
  await(task)
  clearBetweenWrites(o)
  same(table.concat(log, " "), "1")
end)

-- MARK: Who may wait

case("the main script may wait and the app runs on", function()
  local count = 0
  local timer = every(1, function() count = count + 1 end)
  sleep(3.5)
  same(count, 3)
  timer:cancel()
end)

case("timers, handlers and notification handlers may wait", function()
  local log = {}
  after(1, function() sleep(1) log[#log + 1] = "after" end)
  local ticks = 0
  local timer
  timer = every(1, function()
    ticks = ticks + 1
    if ticks == 1 then timer:cancel() end
    sleep(0.5)
    log[#log + 1] = "every"
  end)
  notification.observe("news", function(note) sleep(3) log[#log + 1] = note.info end)
  notification.post("news", nil, "noted")
  local button = view.button { title = "Go" }
  on(button, "touchUpInside", function(sender) sleep(4) log[#log + 1] = sender.title end)
  send(button, "touchUpInside")
  same(#log, 0)
  sleep(5)
  same(table.concat(log, " "), "every after noted Go")
end)

case("a command may wait", function()
  local log = {}
  local save = object { count = 0, execute = function(self, sender)
    self.count = self.count + 1
    sleep(1)
    log[#log + 1] = sender.title .. self.count
  end }
  local button = view.button { title = "Save" }
  on(button, "touchUpInside", save)
  send(button, "touchUpInside")
  same(#log, 0)
  sleep(2)
  same(log[1], "Save1")
end)

case("an error after a wait in a handler is listed", function()
  after(1, function() sleep(1) error("too late") end)
  sleep(3)
  same(#errors(), 1)
  same(errors()[1].message, "too late")
  assert(errors()[1].location:find("async.lua", 1, true))
end)

case("waiting where one may not is an error that says so", function()
  local o = object {
    value = 1,
    slow = computed(function() sleep(1) return 1 end),
    age = property { default = 0, validate = function(_, v) sleep(1) return v end },
  }
  fails("'sleep' has to wait, which cannot be done here", function() return o.slow end)
  fails("has to wait", function() o.age = 2 end)
  local rows = list { 3, 1, 2 }
  fails("has to wait", table.sort, { 3, 1, 2 }, function(a, b) sleep(1) return a < b end)
  fails("has to wait", string.gsub, "abc", "b", function() sleep(1) end)
  local pending = spawn(sleep, 1)
  fails("'await' has to wait", function()
    local bad = object { waits = computed(function() return await(pending) end) }
    return bad.waits
  end)
  same(#errors(), 0)
  observe(o, "value", function() sleep(1) end)
  o.value = 2
  same(#errors(), 1)
  assert(errors()[1].message:find("has to wait", 1, true))
  same(errors()[1].code, "async")
  effect(function() sleep(1) end)
  rows:filter(function() sleep(1) return true end)
  assert(#errors() >= 2)
end)

case("pcall and coroutines of the script's own may lie between a wait and its task", function()
  local inner = coroutine.wrap(function(a)
    local b = coroutine.yield(a + 1)
    sleep(1)
    return b * 2
  end)
  same(inner(1), 2)
  same(inner(21), 42)
  local ok, result = pcall(function() sleep(1) return "slept" end)
  same(ok, true)
  same(result, "slept")
  local ok, message = pcall(function() sleep(1) error("caught") end)
  same(ok, false)
  assert(message:find("caught", 1, true))
  for step in function(_, last) sleep(1) return (last or 0) < 3 and (last or 0) + 1 or nil end do
    same(step <= 3, true)
  end
end)

case("a yield outside of a coroutine is an error", function()
  fails("outside a coroutine", coroutine.yield, 1)
  local task = spawn(function() coroutine.yield(1) end)
  fails("outside a coroutine", await, task)
end)

case("a batch ends where its function waits", function()
  local log = {}
  local o = object { a = 0, b = 0 }
  observe(o, "a", function(new) log[#log + 1] = "a" .. new end)
  observe(o, "b", function(new) log[#log + 1] = "b" .. new end)
  local result = batch(function(given)
    o.a = 1
    o.a = 2
    same(#log, 0)
    sleep(1)
    same(table.concat(log, " "), "a2")
    o.b = 1
    same(table.concat(log, " "), "a2 b1")
    return given
  end, "given")
  same(result, "given")
  o.a = 3
  same(table.concat(log, " "), "a2 b1 a3")
  fails("broken", batch, function() o.a = 4 sleep(1) error("broken") end)
  same(table.concat(log, " "), "a2 b1 a3 a4")
end)

case("a method's batch ends where it waits", function()
  local log = {}
  local Counter = class "Counter" {
    n = 0,
    count = function(self)
      self.n = 1
      self.n = 2
      sleep(1)
      self.n = 3
      return self.n
    end,
  }
  local c = Counter {}
  observe(c, "n", function(new) log[#log + 1] = new end)
  same(c:count(), 3)
  same(table.concat(log, " "), "2 3")
end)

case("what is no task and no time is refused", function()
  fails("bad argument #1 to 'await' (task expected, got no value)", await)
  fails("task expected, got table", await, {})
  fails("task expected, got string", await, "task")
  fails("task expected", await, object {})
  fails("function expected, got no value", spawn)
  fails("function expected, got string", spawn, "f")
  fails("number expected, got no value", sleep)
  fails("number expected, got string", sleep, "soon")
  fails("a number of seconds, 0 or more", sleep, -1)
  fails("a number of seconds, 0 or more", sleep, 0 / 0)
  fails("a number of seconds, 0 or more", sleep, math.huge)
  local task = spawn(function() end)
  fails("cannot be assigned to", function() task.state = "x" end)
  fails("a task has no \"cancle\"; did you mean \"cancel\"?", function() task:cancle() end)
end)

case("a task that never stops waiting wrongly leaves the app its turns", function()
  local own, stopped
  own = spawn(function()
    sleep(0)
    while not stopped do pcall(await, own) end
  end)
  local yields = spawn(function() while not stopped do pcall(coroutine.yield) end end)
  for _ = 1, 10 do sleep(0) end
  stopped = true
  await(yields)
  await(own)
end)

-- MARK: Asynchronous transformers

case("B14 an asynchronous transformer delivers initial and later values", function()
  local fruit, field = label("fig"), label()
  transformer("slow", function(s) sleep(1) return s:upper() end)
  bind("text -> text | slow", fruit, field)
  same(field.text, "")
  sleep(2)
  same(field.text, "FIG")
  fruit.text = "pear"
  same(field.text, "FIG")
  sleep(2)
  same(field.text, "PEAR")
  same(#errors(), 0)
end)

case("B14 a late result never overwrites a newer one", function()
  local from, to = object { n = 1 }, object { n = 0 }
  local finished = {}
  bind("n -> n", from, to, { transform = function(n)
    sleep(n)
    finished[#finished + 1] = n
    return n
  end })
  from.n = 5
  from.n = 2
  sleep(1)
  from.n = 3
  sleep(10)
  same(to.n, 3)
  same(table.concat(finished, " "), "3")
end)

case("B14 a newer value that needs no waiting overtakes one that waits", function()
  local from, to = object { n = 1 }, object { n = 0 }
  bind("n -> n", from, to, { transform = function(n)
    if n == 1 then sleep(1) end
    return n * 10
  end })
  same(to.n, 0)
  from.n = 2
  same(to.n, 20)
  sleep(3)
  same(to.n, 20)
  from.n = 1
  same(to.n, 20)
  sleep(3)
  same(to.n, 10)
end)

case("B14 an asynchronous transformer in a two-way binding ends it", function()
  local left, right = label("a"), label("b")
  local b = bind("text <> text", left, right, {
    transform = { transform = function(s) sleep(1) return s end, reverse = function(s) return s end },
  })
  same(#errors(), 1)
  same(errors()[1].code, "async")
  same(errors()[1].path, "text <> text")
  assert(errors()[1].location:find("async.lua", 1, true))
  same(b.error.code, "async")
  left.text = "c"
  sleep(3)
  same(right.text, "b")
  same(#errors(), 1)
end)

case("B14 a way back that waits ends a two-way binding", function()
  local left, right = label("a"), label("b")
  local b = bind("text <> text", left, right, {
    transform = { transform = function(s) return s end, reverse = function(s) sleep(1) return s end },
  })
  right.text = "c"
  sleep(3)
  same(errors()[1].code, "async")
  same(b.error.code, "async")
  same(left.text, "a")
end)

case("B14 transformers before and after an asynchronous one are applied", function()
  local from, to = object { n = 2 }, label()
  transformer("slow", function(n) sleep(1) return n * 10 end)
  transformer("slower", function(n) sleep(2) return n + 1 end)
  bind("n -> text | scale(3) | slow | slower | suffix(m)", from, to)
  sleep(2)
  same(to.text, "")
  sleep(2)
  same(to.text, "61m")
  from.n = 1
  sleep(1.5)
  from.n = 4
  sleep(2)
  same(to.text, "61m")
  sleep(2)
  same(to.text, "121m")
end)

case("B14 an asynchronous transformer works against the arrow's default side, too", function()
  local left, right = label(), label("x")
  bind("text <- text", left, right, { transform = {
    transform = function(s) return s end, reverse = function(s) sleep(1) return s .. "!" end } })
  sleep(2)
  same(left.text, "x!")
  right.text = "y"
  sleep(2)
  same(left.text, "y!")
end)

case("B14 an error after a wait is the binding's until the next good value", function()
  local from, to = label("bad"), label("kept")
  local b = bind("text -> text", from, to, { transform = function(s)
    sleep(1)
    if s == "bad" then error("no good") end
    return s
  end })
  sleep(2)
  same(to.text, "kept")
  same(b.error.message, "no good")
  assert(b.error.location:find("async.lua", 1, true))
  from.text = "good"
  sleep(2)
  same(to.text, "good")
  same(b.error, nil)
  same(#errors(), 0)
end)

case("B14 fallback and null hold for what comes late", function()
  local from, to = label("bad"), label()
  bind("text -> text", from, to, { fallback = "?", null = "(none)", transform = function(s)
    sleep(1)
    if s == "bad" then error("no good") end
    if s == "nothing" then return nil end
    if s == "silent" then return end
    if s == "leave" then return unchanged end
    return s
  end })
  sleep(2)
  same(to.text, "?")
  from.text = "nothing"
  sleep(2)
  same(to.text, "(none)")
  from.text = "leave"
  sleep(2)
  same(to.text, "(none)")
  from.text = "silent"
  sleep(2)
  same(to.text, "(none)")
  same(#errors(), 0)
end)

case("B14 a binding that ends drops what it waits for", function()
  local log = {}
  local from, to = label("a"), label()
  local function slow(s)
    local held <close> = setmetatable({}, { __close = function() log[#log + 1] = "closed " .. s end })
    sleep(1)
    return s
  end
  local b = bind("text -> text", from, to, { transform = slow })
  b:unbind()
  same(table.concat(log, " "), "closed a")
  context("screen", function() bind("text -> text", from, to, { transform = slow }) end)
  context.clear("screen")
  same(#log, 2)
  sleep(3)
  same(to.text, "")
  same(#errors(), 0)
end)

case("B14 a disabled binding takes up anew what came meanwhile", function()
  local from, to = label("a"), label()
  local b = bind("text -> text", from, to, { transform = function(s) sleep(1) return s:upper() end })
  b:disable()
  sleep(3)
  same(to.text, "")
  b:enable()
  sleep(3)
  same(to.text, "A")
end)

case("B14 an asynchronous transformer goes with throttle, when, observe and nested targets", function()
  local from, to = object { n = 1 }, object { inner = { n = 0 }, on = true }
  local seen = {}
  transformer("slow", function(n) sleep(1) return n * 10 end)
  bind("n -> inner.n | slow", from, to, { observe = function(_, value) seen[#seen + 1] = value end })
  sleep(2)
  same(to.inner.n, 10)
  local gate = object { on = true, n = 0 }
  bind("n -> n | slow", from, gate, { when = function() return gate.on end, throttle = 2 })
  sleep(0.5)
  gate.on = false
  sleep(5)
  same(gate.n, 0)
  gate.on = true
  sleep(5)
  same(gate.n, 10)
  from.n = 2
  sleep(5)
  same(gate.n, 20)
  same(to.inner.n, 20)
  same(table.concat(seen, " "), "10 20")
end)

case("B14 a transformer may await a task that others await, too", function()
  local from, to, other = label("a"), label(), label()
  local shared = spawn(function() sleep(1) return "shared" end)
  local function take(s) return s .. await(shared) end
  bind("text -> text", from, to, { transform = take })
  bind("text -> text", from, other, { transform = take })
  sleep(2)
  same(to.text, "ashared")
  same(other.text, "ashared")
end)

case("B14 a chain of bindings follows an asynchronous one", function()
  local a, b, c = object { n = 1 }, object { n = 0 }, object { n = 0 }
  bind("n -> n", a, b, { transform = function(n) sleep(1) return n + 1 end })
  bind("n -> n", b, c, { transform = function(n) return n + 1 end })
  same(c.n, 1)
  sleep(2)
  same(c.n, 3)
end)

-- MARK: Feeds

case("a feed whose fetch waits is fetching meanwhile and never fetches twice", function()
  local asked, states = {}, {}
  local rows = feed { page = 2, fetch = function(offset, count)
    asked[#asked + 1] = offset
    sleep(1)
    if offset == 4 then return { 5 } end
    return { offset + 1, offset + 2 }
  end }
  observe(rows, "isFetching", function(new) states[#states + 1] = tostring(new) end)
  same(rows:fetchMore(), true)
  same(rows.isFetching, true)
  same(rows:fetchMore(), false)
  same(#rows, 0)
  sleep(2)
  same(rows.isFetching, false)
  same(#rows, 2)
  rows:fetchMore() sleep(2)
  rows:fetchMore() sleep(2)
  same(#rows, 5)
  same(rows.hasMore, false)
  same(rows:fetchMore(), false)
  same(table.concat(asked, " "), "0 2 4")
  same(table.concat(states, " "), "true false true false true false")
end)

case("an error after a wait in a feed is listed and it may be tried again", function()
  local fails = true
  local rows = feed { page = 2, fetch = function()
    sleep(1)
    if fails then error("no line") end
    return { 1 }
  end }
  rows:fetchMore()
  sleep(2)
  same(rows.isFetching, false)
  same(rows.hasMore, true)
  same(errors()[1].message, "no line")
  fails = false
  rows:fetchMore()
  sleep(2)
  same(#rows, 1)
  same(#errors(), 0)
  local wrong = feed { fetch = function() sleep(1) return "rows" end }
  wrong:fetchMore()
  sleep(2)
  same(wrong.isFetching, false)
  assert(errors()[1].message:find("gives a table of rows", 1, true))
end)

case("a feed of a cleared context drops what arrives", function()
  local rows
  context("screen", function()
    rows = feed { page = 2, fetch = function() sleep(1) return { 1, 2 } end }
    rows:fetchMore()
  end)
  context.clear("screen")
  same(rows.isFetching, false)
  sleep(3)
  same(#rows, 0)
  same(rows.hasMore, true)
  same(#errors(), 0)
end)
