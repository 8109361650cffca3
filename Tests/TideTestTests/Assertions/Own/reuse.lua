-- A chain can be kept and used again, and what was put somewhere leaves nothing behind.

case [[local is_not = assert.is_not is_not.same(1, 2) is_not.same(1, 2)]] :gives [[]]
case [[local differ = assert.are_not.same differ(1, 2) differ(1, 2)]] :gives [[]]
case [[local is = assert.is is.same(1, 1) is.truthy(1) is.same(2, 2)]] :gives [[]]
case [[local m = assert.message m("x").is_true(true) m("y").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "y"))
case [[local s = spy.new() local seen = assert.spy(s) s() seen.was.called(1) s() seen.was.called(2)]]
  :gives [[]]
case [[
  local t = setmetatable({}, { __index = { k = print } })
  spy.on(t, "k"):revert()
  return rawget(t, "k"), t.k == print
]] :gives [[nil, true]]
case [[
  local t = setmetatable({}, { __index = { k = print } })
  stub(t, "k"):revert()
  return rawget(t, "k"), t.k == print
]] :gives [[nil, true]]
case [[local t = {} spy.on(t, "k"):revert() return t.k]] :gives [[nil]]
case [[
  local t = { f = print }
  local before = assert:snapshot()
  spy.on(t, "f")
  spy.on(t, "f")
  before:revert()
  return t.f == print
]] :gives [[true]]
case [[local t = { a = {} } t.a.b = t mock(t) mock.clear(t) mock.revert(t) return t.a.b == t]]
  :gives [[true]]
case [[return util.tremove({ n = 0 })]] :gives [[nil]]
case [[assert.is.a.string("x") assert.are.the.same({}, {})]] :gives [[]]
