-- A handler that posts the notification it handles.
-- expect: error "" or time or depth
notification.observe("n", function() notification.post("n") end)
notification.post("n")
