-- Attributes errors to the line of the spec or module that misused a word, not to a line of the
-- runner.

local error = error
local getinfo = debug.getinfo
local locations = {}

--- Raises a text at the first line on the stack that is not the runner's. Levels cannot be counted,
--- because a tail call may have replaced that line's frame.
function locations.raise(text)
  local level = 2
  local info = getinfo(level, 'S')
  while info and (info.what == 'C' or info.source:find '^=%[') do
    level = level + 1
    info = getinfo(level, 'S')
  end
  error(text, info and level or 0)
end

--- The text of an error, without a leading line of the runner.
function locations.without_ours(raised)
  return (tostring(raised):gsub('^%[tidelock[^\n]-:%d+: ', ''))
end

return locations
