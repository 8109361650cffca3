-- Closers make the stack grow while results, errors and other closers lie on it.
-- expect: fine
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local depth = 0
local mt = { __close = function(_, e) assert(deep(depth) == depth) if e then error(e .. "!", 0) end end }
local function closing(...)
  local a <close> = setmetatable({}, mt)
  local b <close> = setmetatable({}, mt)
  return ...
end
local function failing(...)
  local a <close> = setmetatable({}, mt)
  for _ in next, { 1 }, nil, setmetatable({}, mt) do error(..., 0) end
end
for size = 0, 180, 9 do
  local values = {}
  for i = 1, size do values[i] = i end
  for _, much in ipairs { 1, 30, 150 } do
    depth = much
    coroutine.wrap(function()
      local got = table.pack(closing(table.unpack(values)))
      assert(got.n == size)
      for i = 1, size do assert(got[i] == i) end
      local ok, message = pcall(failing, "x")
      assert(not ok and message == "x!!")
    end)()
    local co = coroutine.create(function() local k <close> = setmetatable({}, mt) coroutine.yield() end)
    coroutine.resume(co)
    assert(coroutine.close(co))
  end
end
