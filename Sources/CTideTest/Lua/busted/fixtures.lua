-- Reads files that lie beside a spec.
--
--   local text = fixtures.read "answers/reply.json"

local fixtures = {}

-- The folder of the file that called a function of this module.
local function calling_folder()
  if not (debug and io) then
    error("busted.fixtures needs the whole library, of which a sandbox has a part", 3)
  end
  local info = debug.getinfo(3, "S")
  local folder = info.source:match "^@(.*)/[^/]*$" or "."
  if folder:sub(1, 1) ~= "/" then
    folder = require "tidelock.test.words".folder() .. "/" .. folder
  end
  return folder
end

-- A path without `.` and `..`.
local function normal(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." and parts[1] then
      table.remove(parts)
    elseif part ~= "." and part ~= ".." then
      parts[#parts + 1] = part
    end
  end
  return "/" .. table.concat(parts, "/")
end

local function check(name, path, optional)
  if type(path) ~= "string" and not (optional and path == nil) then
    local text = "bad argument to '%s' expected a string (relative filename)%s, got: %s"
    error(text:format(name, optional and " or nil" or "", type(path)), 3)
  end
end

local function resolved(folder, path)
  return normal(path:sub(1, 1) == "/" and path or folder .. "/" .. path)
end

local function contents(path, binary)
  local file, reason = io.open(path, binary and "rb" or "r")
  if not file then
    error(("Error reading file '%s': %s"):format(path, reason), 3)
  end
  local text = file:read "a"
  file:close()
  return text
end

--- The full path of a file, given relative to the spec's folder; without an argument, the folder.
function fixtures.path(path)
  check("path", path, true)
  local folder = calling_folder()
  return resolved(folder, path or ".")
end

--- The contents of a file.
function fixtures.read(path, binary)
  check("read", path)
  local folder = calling_folder()
  local text = contents(resolved(folder, path), binary)
  return text
end

--- Runs a Lua file and returns its first result. `.lua` may be omitted.
function fixtures.load(path)
  check("load", path)
  local folder = calling_folder()
  local file = path:find "%.lua$" and path or path .. ".lua"
  local text = contents(resolved(folder, file), false)
  local chunk, reason = load(text, path)
  if not chunk then
    error(("Error loading code from '%s': %s"):format(path, reason), 2)
  end
  local result = chunk()
  return result
end

return fixtures
