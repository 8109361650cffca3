-- The terminal functions of output handlers: colours, the cursor, clearing.

local term = {
  colors = require "term.colors",
  cursor = require "term.cursor",
}

local terminals = {}

--- Whether a file is a terminal. The shell is asked once for each standard stream.
function term.isatty(file)
  if not io.type(file) then
    error(("term.isatty(file) needs a file, got %s"):format(type(file)), 2)
  end
  if terminals[file] == nil then
    local number = file == io.stdin and 0 or file == io.stdout and 1 or file == io.stderr and 2
    terminals[file] = number and os.execute("test -t " .. number) == true or false
  end
  return terminals[file]
end

local function sending(text)
  return function()
    return io.stdout:write(text)
  end
end

term.clear = sending "\27[2J"
term.cleareol = sending "\27[K"

return term
