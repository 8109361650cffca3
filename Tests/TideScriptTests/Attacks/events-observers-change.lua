-- Observers of a notification that cancel and add observers while it is delivered.
-- expect: fine
local handles = {}
for i = 1, 20 do
  handles[i] = notification.observe("n", function()
    for _, h in ipairs(handles) do h:cancel() end
    notification.observe("n", function() end)
  end)
end
notification.post("n")
notification.post("n", {}, {})
notification.post("nobody")
