-- JSON, both ways.

case("json.decode gives plain tables", function()
  local t = json.decode('{"a": [1, 2.0, "x", true, null], "b": {}, "c": []}')
  same(math.type(t.a[1]), "integer")
  same(math.type(t.a[2]), "float")
  same(t.a[3], "x")
  same(t.a[5], null)
  same(getmetatable(t), nil)
  same(#t.a, 5)
  same(next(t.b), nil)
end)

case("json.decode keeps integers up to 64 bits", function()
  same(json.decode("9223372036854775807"), math.maxinteger)
  same(json.decode("-9223372036854775808"), math.mininteger)
  same(json.decode("9223372036854775808"), 2.0 ^ 63)
end)

case("what was decoded is encoded as it was", function()
  for _, text in ipairs { "{}", "[]", '{"a":{}}', "[[],{}]", '"\\u0001é\\n\\""', "1", "1.5", "1e+300", "true",
    "null", "[null,1]", "-0.0", "100000.0" } do
    same(json.encode(json.decode(text)), text)
  end
end)

case("json.encode writes objects, lists and dicts", function()
  local o = object { name = "apple", count = 3, price = 1.5, none = null, tags = list { "red", null, 2 } }
  same(json.encode(o, { sort = true }), '{"count":3,"name":"apple","none":null,"price":1.5,"tags":["red",null,2]}')
  same(json.encode(dict { b = 1, a = object { x = 1 } }, { sort = true }), '{"a":{"x":1},"b":1}')
  same(json.encode({ ["a\0b"] = 1, a = 2 }, { sort = true }), '{"a":2,"a\\u0000b":1}')
  same(json.encode(dict {}), "{}")
  same(json.encode(list {}), "[]")
  same(json.encode({ o.tags }), '[["red",null,2]]')
end)

case("json.encode indents", function()
  same(json.encode({ a = { 1, 2 }, b = {} }, { indent = 2, sort = true }),
    '{\n  "a": [\n    1,\n    2\n  ],\n  "b": []\n}')
  same(json.encode({ 1 }, { indent = "\t" }), "[\n\t1\n]")
  fails('no option "indnt"; did you mean "indent"', json.encode, 1, { indnt = 1 })
  fails("a number of spaces up to 16", json.encode, 1, { indent = "ab" })
end)

case("broken JSON is an error with line and column", function()
  fails("json.lua:47: invalid JSON at line 2, column 3: expected a value, found \"]\"", function()
    local value = json.decode("[1,\n  ]")
    return value
  end)
  fails("line 1, column 8: the key \"a\" is there twice", json.decode, '{"a":1,"a":2}')
  fails("fewer levels", json.decode, ("["):rep(100000))
  fails("number within", json.decode, "1e999")
  fails("string expected", json.decode, {})
  after(0, function() json.decode("[") end) advance(1)
  same(errors()[1].code, "json")
end)

case("what is no JSON cannot be encoded", function()
  local loop = {}
  loop[1] = loop
  fails("contains itself", json.encode, loop)
  fails("a function cannot", json.encode, print)
  fails("nan", json.encode, 0 / 0)
  fails("endless number", json.encode, 1 / 0)
  fails("not UTF-8", json.encode, "\xff")
  fails("gaps", json.encode, { 1, nil, 3 })
  fails("both texts and numbers", json.encode, { 1, a = 2 })
  fails("a view cannot be written as JSON", json.encode, { view.label {} })
  fails("cannot be written as JSON", json.encode, { MultipleValues })
  fails("json.lua:70: a function cannot", function() local text = json.encode({ f = print }) return text end)
end)

case("a task that decodes long text lets the app go on", function()
  local parts = {}
  for i = 1, 20000 do parts[i] = '{"number": ' .. i .. ', "text": "' .. ("x"):rep(40) .. '"}' end
  local text = "[" .. table.concat(parts, ",") .. "]"
  local turns = 0
  local other = spawn(function() while true do turns = turns + 1 sleep(0) end end)
  local rows = await(spawn(function() return json.decode(text) end))
  other:cancel()
  same(#rows, 20000)
  same(rows[20000].number, 20000)
  same(turns >= 2, true)
  same(#json.decode(text), 20000)
  fails("json.lua:86: invalid JSON at line 1", function()
    local value = json.decode(text .. "x")
    return value
  end)
end)
