-- __tostring and __name that are no text.
-- expect: fine
for _, wrong in ipairs { 1, true, {}, print } do
  local t = setmetatable({}, { __tostring = function() return wrong end })
  assert(not pcall(tostring, t) or type(wrong) == "number")
  assert(not pcall(print, t) or type(wrong) == "number")
  assert(not pcall(string.format, "%s", t) or type(wrong) == "number")
end
assert(type(tostring(setmetatable({}, { __name = {} }))) == "string")
assert(type(tostring(setmetatable({}, { __name = 5 }))) == "string")
assert(not pcall(error, setmetatable({}, { __name = ("x"):rep(100000) })))
