--- spec: a test of a sandboxed spec
-- entered: spec
for i = 1, needed do it("test " .. i, function() step() end) end

--- spec-block: a block of a sandboxed spec
-- entered: spec
for i = 1, needed do
  describe("block " .. i, function()
    it("test", function() end)
    step()
  end)
end

--- spec-hook: a hook of a sandboxed spec
-- entered: spec
describe("hooks", function()
  before_each(function() step() end)
  for i = 1, needed do it("test " .. i, function() end) end
end)

--- spec-teardown: a hook after the tests of a sandboxed spec
-- entered: spec
for i = 1, needed do
  describe("block " .. i, function()
    teardown(function() step() end)
    it("test", function() end)
  end)
end

--- spec-assertion: an assertion of a sandboxed spec
-- entered: spec
assert:register("assertion", "door", function(state, arguments) step() return true end)
for i = 1, needed do it("test " .. i, function() assert.door(1) end) end

--- spec-matcher: a matcher of a sandboxed spec
-- entered: spec
assert:register("matcher", "door", function(state, arguments)
  return function(value) step() return true end
end)
for i = 1, needed do
  it("test " .. i, function()
    local s = spy.new(function() end)
    s(1)
    assert.spy(s).was.called_with(match.door())
  end)
end

--- spec-formatter: a formatter of a sandboxed spec
-- entered: spec
assert:add_formatter(function(value) if type(value) == "table" then step() return "door" end end)
for i = 1, needed do it("test " .. i, function() pcall(assert.same, {}, { 1 }) end) end

--- spec-spy: a function that a spy of a sandboxed spec calls
-- entered: spec
for i = 1, needed do it("test " .. i, function() spy.new(function() step() end)() end) end

--- spec-timer: a timer that a sandboxed spec sets off
-- entered: spec
for i = 1, needed do
  it("test " .. i, function()
    after(1, function() step() end)
    clock.advance(2)
  end)
end

--- spec-mounted: a handler in a view that a sandboxed spec mounts
-- entered: spec
for i = 1, needed do
  it("test " .. i, function()
    local button = view.button { title = "door", on = { touchUpInside = function() step() end } }
    ui.mount(button)
    ui.tap(button)
  end)
end

--- spec-finally: what a sandboxed spec runs finally
-- entered: spec
for i = 1, needed do it("test " .. i, function() finally(function() step() end) end) end

--- spec-laws: a property that a sandboxed spec tests
-- entered: spec
for i = 1, needed do it("test " .. i, function() assert.eventually(function() step() return true end) end) end

--- spec-stub: what stands in for a server in a sandboxed spec
-- entered: spec
for i = 1, needed do
  it("test " .. i, function()
    http.stub { ["http://x/"] = function() step() return "x" end }
    http.get("http://x/")
  end)
end
