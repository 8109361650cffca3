-- `require` for a sandbox without the library `package`: it finds the modules in `preload`, and
-- those that the host finds in the project. Also replaces `io` if the host receives the output.

local host = ...
local G = _G
local error, pcall, rawget, select, type = error, pcall, rawget, select, type
local concat = table.concat
local find, write = host.find, host.write

local preload, loading = {}, {}
local loaded = { _G = G }
for _, name in ipairs { 'coroutine', 'io', 'math', 'os', 'string', 'table', 'utf8' } do
  loaded[name] = G[name]
end

function G.require(name)
  if type(name) ~= 'string' then
    error(("bad argument #1 to 'require' (string expected, got %s)"):format(type(name)), 2)
  end
  local known = loaded[name]
  if known ~= nil then return known end
  if loading[name] then error(("module '%s' requires itself"):format(name), 2) end
  local loader, extra = rawget(preload, name), ':preload:'
  if not loader then
    loader, extra = find(name)
  end
  loading[name] = true
  local isGood, value = pcall(loader, name, extra)
  loading[name] = nil
  if not isGood then error(value, 0) end
  if value == nil then value = true end
  loaded[name] = value
  return value, extra
end

if write then
  local io, stdout = G.io, {}

  local function say(...)
    for number = 1, select('#', ...) do
      local kind = type((select(number, ...)))
      if kind ~= 'string' and kind ~= 'number' then
        error(("bad argument #%d to 'write' (string expected, got %s)"):format(number, kind), 3)
      end
    end
    write(concat { ... })
    return stdout
  end

  function stdout.write(_, ...) return say(...) end
  function stdout.flush() return stdout end
  function stdout.setvbuf() return true end

  G.io = setmetatable({
    stdout = stdout,
    write = function(...) return say(...) end,
    flush = function() return stdout end,
    output = function(file)
      if file == nil or file == stdout then return stdout end
      return io.output(file)
    end,
    type = function(value) return value == stdout and 'file' or io.type(value) end,
  }, { __index = io })
  loaded.io = G.io
end

return preload
