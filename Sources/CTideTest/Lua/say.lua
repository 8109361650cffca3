-- say: texts found by key, one table of texts for each language.
--
--   local say = require "say"
--   say:set("greeting", "Good morning, %s")
--   say("greeting", { "Ada" })            --> Good morning, Ada
--
-- A key without a text in the current language is looked up in the fallback. If both lack it, the
-- result is nil, so that the caller can tell a key from a text.

local registry = { en = {} }
local current, fallback = "en", "en"

local say = {
  _VERSION = "Say 1.4",
  _DESCRIPTION = "Texts by key and language.",
  _registry = registry,
}

local function texts(name, method)
  if name == nil then
    error("say:" .. method .. "(name) needs the name of a language, got nil", 3)
  end
  registry[name] = registry[name] or {}
  return registry[name]
end

--- Sets the current language, in which texts are read and written from now on.
function say:set_namespace(name)
  texts(name, "set_namespace")
  current = name
end

--- Sets the fallback language, for keys without a text in the current one.
function say:set_fallback(name)
  texts(name, "set_fallback")
  fallback = name
end

--- Sets the text of a key in the current language.
function say:set(key, text)
  if key == nil then
    error("say:set(key, text) needs a key, got nil", 2)
  end
  registry[current][key] = text
end

-- `n` is the number of values if some are nil. Without `n`, or if it is too small, the list's
-- length counts.
local function count(values)
  local n, length = values.n, #values
  return type(n) == "number" and n > length and n or length
end

local function text_of(_, key, values)
  if values ~= nil and type(values) ~= "table" then
    error(("expected parameter table to be a table, got '%s'"):format(type(values)), 2)
  end
  if key == nil then
    return nil
  end
  local text = registry[current][key]
  if text == nil then
    text = registry[fallback][key]
  end
  if text == nil then
    return nil
  end
  text = tostring(text)
  local n = values and count(values) or 0
  -- Without values, a text is returned unchanged, so it may contain percent signs.
  return n == 0 and text or text:format(table.unpack(values, 1, n))
end

return setmetatable(say, { __call = text_of })
