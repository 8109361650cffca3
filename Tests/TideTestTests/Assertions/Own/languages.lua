-- Texts in other languages, and English where one has none.

case [[require "luassert.languages.de" assert.same(1, 2)]] :fails [[
Der Inhalt sollte gleich sein.
Bekommen:
(number) 2
Erwartet:
(number) 1]]
case [[require "luassert.languages.fr" assert.is_not.truthy(1)]] :fails [[
La valeur ne devait pas compter pour vraie, mais c'était :
(number) 1]]
case [[require "luassert.languages.de" say:set_namespace "en" assert.falsy(1)]] :fails [[
Expected to be falsy, but value was:
(number) 1]]
case [[
  say:set_namespace "de"
  say:set("assertion.truthy.positive", "Falsch: %s")
  require "luassert.languages.de"
  assert.truthy(nil)
]] :fails [[Falsch: (nil)]]
case [[
  local missing = {}
  for _, name in ipairs { "de", "fr" } do
    require("luassert.languages." .. name)
    require "luassert.languages.en"
    for key in pairs(say._registry.en) do
      if key:find "^assertion" and not say._registry[name][key] then
        missing[#missing + 1] = name .. " " .. key
      end
    end
  end
  return missing
]] :gives [[{}]]
case [[
  local wrong = {}
  for _, name in ipairs { "de", "fr" } do
    require("luassert.languages." .. name)
    require "luassert.languages.en"
    for key, text in pairs(say._registry[name]) do
      local _, here = text:gsub("%%s", "")
      local _, there = say._registry.en[key]:gsub("%%s", "")
      if here ~= there then
        wrong[#wrong + 1] = name .. " " .. key
      end
    end
  end
  return wrong
]] :gives [[{}]]
