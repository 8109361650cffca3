-- Redirects writes to standard output to a function. Other files are unaffected.

local take = ...
local io = io
local stdout, methods = io.stdout, debug.getmetatable(io.stdout).__index
local write, write_default, flush = methods.write, io.write, methods.flush
local concat, error, select, type = table.concat, error, select, type

local function say(...)
  for number = 1, select('#', ...) do
    local kind = type((select(number, ...)))
    if kind ~= 'string' and kind ~= 'number' then
      error(("bad argument #%d to 'write' (string expected, got %s)"):format(number, kind), 3)
    end
  end
  take(concat { ... })
  return stdout
end

methods.write = function(file, ...)
  if file == stdout then return say(...) end
  return write(file, ...)
end
methods.flush = function(file)
  if file == stdout then return stdout end
  return flush(file)
end
io.write = function(...)
  if io.output() == stdout then return say(...) end
  return write_default(...)
end
