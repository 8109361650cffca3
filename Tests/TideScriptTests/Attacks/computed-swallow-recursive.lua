-- Computed values that read each other and swallow every error, for ever.
-- expect: time or error "" or depth or given up
local objects = {}
for i = 1, 30 do
  objects[i] = object { v = computed(function()
    while true do pcall(function() return objects[i % 30 + 1].v end) end
  end) }
end
return objects[1].v
