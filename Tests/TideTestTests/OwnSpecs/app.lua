local parts = require "parts.counter"
local app = model "app" { title = "Counter" }
seenByTests = (seenByTests or 0) + 1
view.component("twice", { view = function() return view.label { text = "twice" } end })
transformer("loud", function(text) return text .. "!" end)

return view.window { title = "App",
  view.column {
    view.label { id = "title", bindTo = { text = "app.title | loud" } },
    view.label { id = "count", text = function() return tostring(parts.counter.count) end },
    view.button { id = "more", title = "More", on = { touchUpInside = function()
      parts.counter.count = parts.counter.count + 1
      lateModule = require("parts.late")
    end } },
    view.button { id = "fail", title = "Fail", on = { touchUpInside = function() error "no" end } },
    view.twice {},
  },
}
