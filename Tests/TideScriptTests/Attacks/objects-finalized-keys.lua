-- Objects that the collector has found, taken back as weak keys before they are gone, of classes that
-- nobody else has any more.
-- expect: fine
local keys, kept = setmetatable({}, { __mode = "k" }), {}
for round = 1, 60 do
  for i = 1, 20 do keys[object { ["p" .. round .. "_" .. i] = i }] = true end
  collectgarbage()
  for key in next, keys do kept[#kept + 1] = key end
  for _, object in ipairs(kept) do
    pcall(function() return object["p" .. round .. "_1"] end)
    pcall(function() object["p" .. round .. "_1"] = 2 end)
    pcall(function() return #object, object.missing end)
    pcall(tostring, object)
    pcall(pairs, object)
    pcall(object)
  end
  if #kept > 200 then kept = {} end
end
