-- The library tables cannot be changed, emptied or given another metatable.
-- expect: fine
for _, name in ipairs { "string", "table", "math", "utf8", "coroutine", "os" } do
  local library = _G[name]
  assert(not pcall(function() library.x = 1 end), name)
  assert(not pcall(function() library[1] = 1 end), name)
  assert(not pcall(rawset, library, "x", 1), name)
  assert(not pcall(setmetatable, library, {}), name)
  assert(not pcall(setmetatable, library, nil), name)
  assert(getmetatable(library) == false, name)
  assert(rawget(library, "x") == nil and next(library) == nil, name)
  assert(not pcall(table.insert, library, 1), name)
  assert(not pcall(table.move, { 1 }, 1, 1, 1, library), name)
  assert(not pcall(table.sort, library) or true, name)
  for key, value in pairs(library) do
    assert(not pcall(function() library[key] = nil end), name)
    assert(library[key] == value, name)
  end
end
