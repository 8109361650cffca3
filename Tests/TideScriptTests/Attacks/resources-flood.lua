-- Resources and streams without number.
-- expect: time or memory
local kept = {}
while true do
  kept[#kept + 1] = resource(function() return 1 end)
  kept[#kept + 1] = stream(function(push) push(1) end, { limit = 1 })
end
