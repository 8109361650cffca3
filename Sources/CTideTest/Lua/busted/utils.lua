-- The functions of `busted.utils`, under the name with which output handlers and helpers require
-- it.

local utils = {}

--- Splits a text at a pattern; the default is white space. An empty last part is omitted.
function utils.split(text, separator)
  if type(text) ~= "string" then
    error(("argument 1 expected a 'string', got a '%s'"):format(type(text)), 2)
  end
  separator = separator or "%s+"
  local parts, from = {}, 1
  while from <= #text do
    local first, last = text:find(separator, from)
    if not first or last < first then
      break
    end
    parts[#parts + 1] = text:sub(from, first - 1)
    from = last + 1
  end
  if from <= #text then
    parts[#parts + 1] = text:sub(from)
  end
  return parts
end

--- Shuffles a list in place; the same seed gives the same order.
function utils.shuffle(list, seed)
  if seed then
    math.randomseed(seed)
  end
  for i = #list, 2, -1 do
    local j = math.random(i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

--- A number from the system's source of randomness; nil if there is none.
function utils.urandom()
  local source = io and io.open("/dev/urandom", "rb")
  if not source then
    return nil
  end
  local bytes = source:read(4)
  source:close()
  return bytes and #bytes == 4 and (string.unpack("<I4", bytes)) or nil
end

--- Copies the interpreter's own arguments, which precede the script in `arg`.
function utils.copy_interpreter_args(arguments)
  local i = -1
  while arg and arg[i] do
    arguments[i] = arg[i]
    i = i - 1
  end
end

return utils
