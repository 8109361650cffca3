-- Functions of older versions of Lua, for specs and helpers that were written for them.

local compatibility = { unpack = table.unpack, loadstring = load }

-- The sandbox does not give access to the globals of functions.
local function need_debug()
  if not debug then
    error("a function's environment needs the debug library, which a sandbox lacks", 3)
  end
end

local function function_at(target)
  if type(target) == "function" then
    return target
  end
  -- A level counts from the caller of `getfenv` or `setfenv`.
  local info = debug.getinfo((target or 1) + 2, "f")
  return info and info.func
end

-- A function's globals are one of its upvalues. A function that uses no globals has no such
-- upvalue.
local function globals_upvalue(fn)
  local i = 1
  while true do
    local name = debug.getupvalue(fn, i)
    if name == "_ENV" or name == nil then
      return name and i
    end
    i = i + 1
  end
end

function compatibility.getfenv(target)
  need_debug()
  local fn = function_at(target)
  local at = fn and globals_upvalue(fn)
  local globals = _G
  if at then
    local _, value = debug.getupvalue(fn, at)
    globals = value
  end
  return globals
end

function compatibility.setfenv(target, globals)
  need_debug()
  local fn = function_at(target)
  local at = fn and globals_upvalue(fn)
  if at then
    -- A separate upvalue, because the functions of a file share theirs.
    debug.upvaluejoin(fn, at, function()
      return globals
    end, 1)
  end
  return fn
end

--- Runs a command. Returns whether it succeeded, and its exit code.
function compatibility.execute(command)
  local succeeded, _, code = os.execute(command)
  return succeeded == true, code
end

function compatibility.exit(code, force)
  os.exit(code, not force)
end

return compatibility
