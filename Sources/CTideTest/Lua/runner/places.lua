-- Where a mistake in the use of ours is: in the line of the spec or module that made it.

local error = error
local getinfo = debug.getinfo
local places = {}

--- Raises a text in the first line on the stack that is not of ours: a tail call leaves a line of ours in
--- its place, so that no level can be counted.
function places.raise(text)
  local level = 2
  local info = getinfo(level, 'S')
  while info and (info.what == 'C' or info.source:find '^=%[') do
    level = level + 1
    info = getinfo(level, 'S')
  end
  error(text, info and level or 0)
end

--- The text of an error without a line of ours before it.
function places.without_ours(raised)
  return (tostring(raised):gsub('^%[tidelock[^\n]-:%d+: ', ''))
end

return places
