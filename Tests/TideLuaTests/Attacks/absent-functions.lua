-- What could leave the sandbox is not there.
-- expect: fine
for _, name in ipairs { "io", "debug", "package", "require", "dofile", "loadfile", "module",
  "newproxy", "unpack", "loadstring" } do
  assert(_G[name] == nil, name)
end
for _, name in ipairs { "execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname" } do
  assert(os[name] == nil, name)
end
assert(string.dump == nil)
local seen = {}
local function walk(value)
  if type(value) ~= "table" or seen[value] then return end
  seen[value] = true
  for key, inner in pairs(value) do
    assert(key ~= "loadlib" and key ~= "sethook" and key ~= "getregistry", key)
    walk(key)
    walk(inner)
    walk(getmetatable(inner))
  end
end
walk(_G)
