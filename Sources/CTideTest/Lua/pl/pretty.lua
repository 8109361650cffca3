-- Writes tables as Lua text, for output handlers that show raised values.
--
--   pretty.write { code = 404, "gone" }
--   --> {
--         "gone",
--         code = 404
--       }

local pretty = {}

local keywords = {}
for word in ([[
  and break do else elseif end false for function goto if in local nil not or repeat return then
  true until while
]]):gmatch "%a+" do
  keywords[word] = true
end

local function number(value)
  if value ~= value then
    return "NaN"
  elseif value == math.huge or value == -math.huge then
    return value > 0 and "Inf" or "-Inf"
  end
  local whole = math.tointeger(value)
  return whole and ("%d"):format(whole) or ("%.14g"):format(value)
end

local function quoted(text)
  if not text:find("\n", 1, true) and not text:find("]]", 1, true) then
    return ("%q"):format(text)
  end
  local level = ""
  while text:find("]" .. level .. "]", 1, true) or text:sub(-#level - 1) == "]" .. level do
    level = level .. "="
  end
  -- Lua ignores a line break right after the opening bracket.
  local first = text:sub(1, 1) == "\n" and "\n" or ""
  return ("[%s[%s%s]%s]"):format(level, first, text, level)
end

local function key(value, plain)
  if type(value) == "number" then
    return "[" .. number(value) .. "]"
  end
  local text = tostring(value)
  if plain and type(value) == "string" and text:find "^[%a_][%w_]*$" and not keywords[text] then
    return text
  end
  return "[" .. quoted(text) .. "]"
end

local function sorted_keys(value, from)
  local keys = {}
  for name in next, value do
    if not (math.type(name) == "integer" and name >= 1 and name < from) then
      keys[#keys + 1] = name
    end
  end
  table.sort(keys, function(a, b)
    local number_a, number_b = type(a) == "number", type(b) == "number"
    if number_a ~= number_b then
      return number_b
    end
    return number_a and a < b or not number_a and tostring(a) < tostring(b)
  end)
  return keys
end

--- The text of a value. `indent` is the indentation of a level, or "" to write one line;
--- `bracketed` writes all keys in brackets.
function pretty.write(value, indent, bracketed)
  indent = indent or "  "
  local line = indent == "" and "" or "\n"
  local equals = indent == "" and "=" or " = "
  local open = {}

  local function text(inner, margin, top)
    local kind = type(inner)
    if kind == "number" then
      return number(inner)
    elseif kind == "string" then
      return quoted(inner)
    elseif kind == "boolean" or kind == "nil" or kind ~= "table" and top then
      return tostring(inner)
    elseif kind ~= "table" then
      return quoted(tostring(inner))
    elseif open[inner] then
      return "<cycle>"
    end
    open[inner] = true
    local deeper, parts, i = margin .. indent, {}, 1
    while not bracketed and rawget(inner, i) ~= nil do
      parts[i] = deeper .. text(rawget(inner, i), deeper)
      i = i + 1
    end
    for _, name in ipairs(sorted_keys(inner, i)) do
      local entry = text(rawget(inner, name), deeper)
      parts[#parts + 1] = deeper .. key(name, not bracketed) .. equals .. entry
    end
    open[inner] = nil
    local body = table.concat(parts, "," .. line)
    return "{" .. line .. body .. (body ~= "" and line or "") .. margin .. "}"
  end

  return text(value, "", true)
end

--- Writes a value's text to a file, or to standard output.
function pretty.dump(value, name)
  local text = pretty.write(value) .. "\n"
  if not name then
    return io.write(text)
  end
  local file, reason = io.open(name, "w")
  if not file then
    return nil, reason
  end
  file:write(text)
  return file:close()
end

return pretty
