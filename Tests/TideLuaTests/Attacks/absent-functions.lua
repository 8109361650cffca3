-- What could leave the sandbox is not there.
-- expect: fine
for _, name in ipairs { "debug", "package", "require", "dofile", "loadfile", "module",
  "newproxy", "unpack", "loadstring" } do
  assert(_G[name] == nil, name)
end
for _, name in ipairs { "exit", "setlocale" } do assert(os[name] == nil, name) end
-- What is there refuses, whatever it is given.
for library, names in pairs {
  io = { "open", "lines", "input", "output", "popen", "tmpfile" },
  os = { "execute", "getenv", "remove", "rename", "tmpname" },
} do
  for _, name in ipairs(names) do
    local done, message = pcall(_G[library][name], "/etc/passwd", name == "rename" and "/tmp/other" or "r")
    local refuses = { "not allowed", "is the app's" }
    message = tostring(message)
    assert(not done and (message:find(refuses[1], 1, true) or message:find(refuses[2], 1, true)),
      name .. ": " .. message)
  end
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
