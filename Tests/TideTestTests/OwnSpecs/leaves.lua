return view.button { id = "leave", title = "Leave", on = { touchUpInside = function() exit(3) end } }
