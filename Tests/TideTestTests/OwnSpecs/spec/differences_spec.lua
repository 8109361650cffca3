local function message(fn)
  local isGood, raised = pcall(fn)
  assert.is_false(isGood)
  return tostring(raised)
end

local function lines(text)
  local _, ends = text:gsub("\n", "")
  return ends + 1
end

local function rows(count)
  local made = {}
  for i = 1, count do
    made[i] = { id = i, name = "row " .. i, size = { w = i, h = { 1, 2 } } }
  end
  return made
end

describe("a difference in long values", function()
  it("is shown with its path and its neighbours", function()
    local expected, actual = rows(60), rows(60)
    actual[37].name = "other"
    for _, text in ipairs {
      message(function() assert.same(expected, actual) end),
      message(function() assert.same(list(expected), list(actual)) end),
      message(function() assert.property(object { rows = actual }, "rows").is(expected) end),
      message(function() assert.has_error(function() error(actual) end, expected) end),
    } do
      assert.is_true(lines(text) < 40, text)
      assert.matches("\n  %.%.%. 34 more\n  %[35%] = { %.%.%. }\n", text)
      assert.matches("\n %*%[37%] = {\n    %[id%] = 37\n   %*%[name%] = 'other'\n", text)
      assert.matches("%(%+%):\nat %[37%]%.name\n%- %(string%) 'row 37'\n%+ %(string%) 'other'", text)
    end
  end)

  it("is told of at each place, up to five", function()
    local expected, actual = rows(60), rows(60)
    actual[2].size.h[1], actual[50] = 7, nil
    actual[50] = "none"
    local text = message(function() assert.same(expected, actual) end)
    assert.matches("\nat %[2%]%.size%.h%[1%]\n%- %(number%) 1\n%+ %(number%) 7\nat %[50%]\n%- %(table", text)
    assert.matches("\n%-   %[id%] = 50\n", text)
    assert.matches("\n%+ %(string%) 'none'$", text)
    for i = 1, 60 do
      actual[i] = { id = 0 }
    end
    text = message(function() assert.same(expected, actual) end)
    assert.matches("… and more$", text)
    assert.is_true(lines(text) < 60, text)
  end)

  it("is a key that is missing", function()
    local expected, actual = {}, {}
    for i = 1, 100 do
      expected["k" .. i], actual["k" .. i] = i, i ~= 50 and i or nil
    end
    local text = message(function() assert.same(expected, actual) end)
    assert.is_true(lines(text) < 25, text)
    assert.matches("\n %*%[k50%] = nil\n", text)
    assert.matches("\nat k50\n%- %(number%) 50\n%+ %(nil%)$", text)
  end)

  it("is shown however deep it lies", function()
    local text = message(function()
      assert.same({ a = { b = { c = { d = { 1, 2 } } } } }, { a = { b = { c = { d = { 1, 3 } } } } })
    end)
    assert.matches("\nat a%.b%.c%.d%[2%]\n%- %(number%) 2\n%+ %(number%) 3$", text)
    assert.no_match("more }", text)
  end)

  it("is shown of the arguments of a call", function()
    local expected, actual = rows(60), rows(60)
    actual[9].id = 0
    local called = spy.new(function() end)
    called("first", actual)
    local text = message(function() assert.spy(called).was.called_with(match.is_string(), expected) end)
    assert.is_true(lines(text) < 40, text)
    assert.matches("%(%+%):\nargument 2:\nat %[9%]%.id\n%- %(number%) 9\n%+ %(number%) 0$", text)
    assert.no_match("argument 1", text)
  end)

  it("is shown of texts of many lines as lines", function()
    local text = ("lorem\nipsum\n"):rep(100)
    local other = text:sub(1, 600) .. "dolor\n" .. text:sub(601)
    for _, each in ipairs {
      message(function() assert.equal(text, other) end), message(function() assert.same(text, other) end),
    } do
      assert.matches("Passed in:\n%(string%) of 202 lines, 1206 bytes\nExpected:", each)
      assert.matches("%(%+%):\n@@ %-99 %+99 @@\n  lorem\n  ipsum\n%+ dolor\n  lorem\n  ipsum$", each)
    end
    local wide = ("x"):rep(500)
    local each = message(function() assert.same("a\nb\nc\nd\n" .. wide .. "1" .. wide, "a\nb\nc\nd\n" .. wide .. "2" .. wide) end)
    assert.matches("\n%- …x+1x+…\n%+ …x+2x+…$", each)
  end)

  it("is shown of a long line as what is around it", function()
    local half = ("é"):rep(1000)
    local text = message(function() assert.equal(half .. "a" .. half, half .. "b" .. half) end)
    assert.is_true(#text < 900, text)
    assert.is_truthy(utf8.len(text))
    local some = ("é"):rep(20)
    assert.matches("'…" .. some .. "b" .. some .. "…' %(4001 bytes%)", text)
    assert.matches(("\nat byte 2001\n%%- …%sa%s…\n%%+ …%sb%s…$"):format(some, some, some, some), text)
  end)

  it("is none where two tables have the same content", function()
    local text = message(function() assert.equal(rows(60), rows(60)) end)
    assert.matches("%(%+%):\nnone: two tables with the same content$", text)
    assert.is_true(lines(text) < 30, text)
    text = message(function() assert.are_not.same(rows(60), rows(60)) end)
    assert.is_true(lines(text) < 30, text)
    assert.no_match("%(%+%)", text)
  end)

  it("is left to who has all levels shown", function()
    local saved = assert:snapshot()
    assert:set_parameter("TableFormatLevel", -1)
    local text = message(function() assert.same(rows(60), {}) end)
    saved:revert()
    assert.matches("%[name%] = 'row 60'", text)
  end)
end)

describe("short values", function()
  it("are shown whole", function()
    assert.matches("^Expected objects to be the same%.\nPassed in:\n%(table: 0x%x+%) {\n %*%[1%] = 2 }\n"
      .. "Expected:\n%(table: 0x%x+%) {\n %*%[1%] = 1 }$", (message(function() assert.same({ 1 }, { 2 }) end)
      :gsub("^[^\n]-:%d+: ", "")))
  end)
end)
