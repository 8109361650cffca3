-- Every function of the API with arguments of every kind.
-- expect: fine or error ""
local o = object { n = 0 }
local values = { nil, true, 0, -1, 0 / 0, "", "n", "x -> y", {}, { 1 }, { a = 1 }, print, function() end,
  coroutine.create(print), o, list { 1 }, dict {}, null, tidelock, models, view.label {} }
local names = {}
for name, f in pairs(tidelock) do
  if type(f) == "function" and name ~= "exit" then names[#names + 1] = name end
end
for _, name in ipairs(names) do
  local f = tidelock[name]
  pcall(f)
  for i = 1, 21 do
    pcall(f, values[i])
    for j = 1, 21 do
      pcall(f, values[i], values[j])
      pcall(f, o, values[i], values[j])
      pcall(f, "n -> n", o, values[i], values[j])
    end
  end
end
