-- Errors name globals, fields and constants that are called _ENV.
-- expect: fine
local sources = {
  "local _ENV = { _ENV = {} } return _ENV._ENV.x + 1",
  "local a = { _ENV = {} } return a._ENV.x.y",
  "local _ENV <const> = {} return x.y",
  "local _ENV <const> = 1 return x",
  "local _ENV <const> = nil x = 1",
  "local _ENV <const> = 'text' return x()",
  "local _ENV <const> = {} local function f() return a.b end return f()",
  "return ('_ENV').x.y",
  "local x <const> = '_ENV' return x.a.b",
}
for _, source in ipairs(sources) do
  local f = load(source)
  if f then
    local ok, message = pcall(f)
    assert(not ok or message == nil)
    assert(ok or type(message) == "string")
  end
end
for name in ("a b c _ENV"):gmatch "%S+" do
  local f = load(("local %s <const> = 1 return function() %s = 2 end"):format(name, name))
  assert(not f)
end
assert(not load "local function f <const> () end")
