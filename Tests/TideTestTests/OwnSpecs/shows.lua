sleep(2)
show(view.label { id = "late", text = "here after a while, " .. tostring((...)) })
