-- Compiled chunks can be neither made nor loaded.
-- expect: fine
assert(string.dump == nil and ("").dump == nil)
for _, binary in ipairs { "\27Lua", "\27LuaT\0\x19\x93\r\n\x1a\n", "\27" } do
  for _, mode in ipairs { "b", "bt", "t", "" } do
    assert(not load(binary, "x", mode))
    local done
    assert(not load(function() if not done then done = true return binary end end, "x", mode))
    local at = 0
    assert(not load(function() at = at + 1 return binary:sub(at, at) end, "x", mode))
  end
end
assert(not load("return 1", "x", "b"))
