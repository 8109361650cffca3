-- Whose line a failure is of: the spec's, also where it called something wrongly.

local function where(body)
  return case([[
    local ok, message = pcall(function()
      ]] .. body .. [[

    end)
    return (message:match "^(.-:%d+):")
  ]])
end

where [[assert.is_true(false)]] :gives [['case.lua:2']]
where [[assert.is_not.same(1, 1)]] :gives [['case.lua:2']]
where [[assert.message("m").equal(1, 2)]] :gives [['case.lua:2']]
where [[assert.same(1)]] :gives [['case.lua:2']]
where [[assert.near(1, "x", 2)]] :gives [['case.lua:2']]
where [[assert.has_error(5)]] :gives [['case.lua:2']]
where [[assert.error_matches(print, 5)]] :gives [['case.lua:2']]
where [[assert.matches(1, "x")]] :gives [['case.lua:2']]
where [[assert.matches("x", "y", true)]] :gives [['case.lua:2']]
where [[assert.truthy()]] :gives [['case.lua:2']]
where [[assert.unique(5)]] :gives [['case.lua:2']]
where [[assert.array().has.holes()]] :gives [['case.lua:2']]
where [[assert.has.holes()]] :gives [['case.lua:2']]
where [[assert.array({}).has.holes("x")]] :gives [['case.lua:2']]
where [[assert.array.has.holes()]] :gives [['case.lua:2']]
where [[assert.message.is_true(false)]] :gives [['case.lua:2']]
where [[assert.spy(1).was.called()]] :gives [['case.lua:2']]
where [[assert.spy(print).was.called_with()]] :gives [['case.lua:2']]
where [[assert.spy(spy.new()).was.called_at_least(1)]] :gives [['case.lua:2']]
where [[assert.was.called_at_least(1)]] :gives [['case.lua:2']]
where [[assert.no_such_word(1)]] :gives [['case.lua:2']]
where [[local x = match.no_such_word(1)]] :gives [['case.lua:2']]
where [[local x = match.near("a", 1)]] :gives [['case.lua:2']]
where [[local x = match.ref(1)]] :gives [['case.lua:2']]
where [[local x = match.all_of(1)]] :gives [['case.lua:2']]
where [[spy.new(1)]] :gives [['case.lua:2']]
where [[spy.on({ k = 1 }, "k")]] :gives [['case.lua:2']]
where [[spy.on(1, "k")]] :gives [['case.lua:2']]
where [[stub({ k = 1 }, "k")]] :gives [['case.lua:2']]
where [[stub.new(1, "k")]] :gives [['case.lua:2']]
where [[assert:set_parameter()]] :gives [['case.lua:2']]
where [[assert:add_formatter()]] :gives [['case.lua:2']]
where [[assert:add_spy()]] :gives [['case.lua:2']]
where [[assert:register("assertion")]] :gives [['case.lua:2']]
where [[assert:unregister("assertion")]] :gives [['case.lua:2']]
where [[assert:format()]] :gives [['case.lua:2']]
where [[local s = assert:snapshot() s:revert() s:revert()]] :gives [['case.lua:2']]
where [[say:set(nil, 1)]] :gives [['case.lua:2']]
where [[say:set_namespace()]] :gives [['case.lua:2']]
where [[local x = say("k", 5)]] :gives [['case.lua:2']]
where [[assert(false, "m")]] :gives [['case.lua:2']]
where [[
    local function helper() assert(false, "m", assert:level(2)) end

    helper()]] :gives [['case.lua:4']]
where [[
    local function helper() assert.is_true(false) end

    helper()]] :gives [['case.lua:2']]
where [[
    local function helper() return assert.is_true(false) end

    local x = helper()]] :gives [['case.lua:4']]
where [[assert:register("assertion", "own", function(_, _, level) error("m", level + 1) end)
    assert.own()]] :gives [['case.lua:3']]
