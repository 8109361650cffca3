-- What validators return: the value, or nil and a message.

local function misuse(pattern, write)
  local isGood, e = pcall(write)
  assert(not isGood, "it was accepted")
  assert(tostring(e):find(pattern, 1, true), tostring(e))
  assert(tostring(e):find("validators.lua:", 1, true), tostring(e))
end

local function with(default, validate, type)
  return object { v = property { default = default, type = type, validate = validate } }
end

case("V1 true is no value of what is neither true nor false", function()
  for _, default in ipairs { 1, "x" } do
    local o = with(default, function() return true end)
    misuse("the validator of object.v returned true for", function() o.v = default == 1 and 2 or "y" end)
    same(o.v, default)
  end
  local any = with(nil, function() return true end)
  misuse("return the value, or nil and a message", function() any.v = 5 end)
  local flag = with(false, function(_, v) return v end)
  flag.v = true
  same(flag.v, true)
end)

case("V2 false and a message do not refuse", function()
  for _, default in ipairs { 1, "x", true } do
    local o = with(default, function() return false, "no" end)
    misuse('returned false, "no" for', function() o.v = default end)
    same(o.v, default)
  end
end)

case("V3 nothing at all is no answer, and a message is a text", function()
  local o = with(1, function() end)
  misuse("returned nothing", function() o.v = 2 end)
  local p = with(1, function() return nil, 5 end)
  misuse("where the message is a text", function() p.v = 2 end)
  local q = with(1, function() return nil end)
  fails("object.v refuses 2", function() q.v = 2 end)
  local r = with("", function(_, v) return v:gsub(" ", "") end)
  r.v = "a b"
  same(r.v, "ab")
end)

case("V4 a value that the property cannot hold is the validator's mistake", function()
  local o = with(1, function() return "one" end)
  misuse("the validator of object.v gave what it cannot hold: object.v holds number, not string",
    function() o.v = 2 end)
end)

case("V5 what a validator gets wrong is no error of the person who enters", function()
  local o, field = with(1, function() return false, "no" end), view.field {}
  bind("v <> text", o, field)
  field.text = "2"
  same(#errors(), 1)
  same(errors()[1].code, "scriptError")
  same(#errors { editing = true }, 0)
  same(o.v, 1)
end)

case("V6 a binding's validator is held to the same", function()
  local a, b = object { x = 1 }, object { y = 0 }
  bind("x -> y", a, b, { validate = function() return true end })
  bind("x -> y", a, b, { validate = function() return false, "no" end })
  bind("x -> y", a, b, { validate = function() end })
  same(b.y, 0)
  same(#errors(), 3)
  for _, e in ipairs(errors()) do same(e.code, "scriptError") end
end)
