-- Styles and themes.

local function try(code) return function() return load(code)() end end

case("a style is known from its definition on", function()
  local label = view.label { text = "x" }
  fails('there is no style "danger"', function() label.style = "danger" end)
  style.define("danger", { textColor = "red", bold = true, focused = { reverse = true } })
  label.style = "danger"
  label.style = "muted danger"
  label.style = { "danger", "bold" }
  fails('there is no style "dangr"; did you mean "danger"?', function() label.style = "dangr" end)
end)

case("a style ends with its context", function()
  context.begin "looks"
  style.define("danger", { bold = true })
  context.finish()
  view.label { style = "danger" }
  context.clear "looks"
  fails('there is no style "danger"', function() view.label { style = "danger" } end)
end)

case("what is wrong in a style says where and what there is", function()
  local define = style.define
  fails('style.define("a") has no property "textColour"; did you mean "textColor"?', define, "a", { textColour = "red" })
  fails('style.define("a") has no property "focussed"; did you mean "focused"?', define, "a", { focussed = {} })
  fails('focused of style.define("a") has no property "focused"', define, "a", { focused = { focused = {} } })
  fails('"rde" is not a colour; did you mean "red"?', define, "a", { textColor = "rde" })
  fails('bold of style.define("a") is true or false, not', define, "a", { bold = 1 })
  fails('disabled of style.define("a") is a table such as { bold = true }, not 1', define, "a", { disabled = 1 })
  fails('one word of letters, digits, - and _, not "a b"', define, "a b", {})
  fails("not \"\"", define, "", {})
  fails("table expected", define, "a", 1)
  fails("string expected", define)
  fails('style has no "defin"; did you mean "define"?', try "style.defin()")
end)

case("a style of one's own ends with its context, and a built-in one is there again", function()
  context.begin "looks"
  style.define("muted", { textColor = "green" })
  style.define("loud", { bold = true })
  context.finish()
  view.label { style = "muted loud" }
  context.clear "looks"
  view.label { style = "muted" }
  fails('there is no style "loud"', function() view.label { style = wrong "loud" } end)
end)

case("a theme is chosen by its name", function()
  same(app.theme, "default")
  app.theme = "dark"
  same(app.theme, "dark")
  fails('there is no theme "drak"', function() app.theme = wrong "drak" end)
  fails('did you mean "dark"?', function() app.theme = wrong "drak" end)
  fails("app.theme holds string, not nil", function() app.theme = wrong(nil) end)
  fails('app has no property "them"; did you mean "theme"?', try "app.them = 'dark'")
  same(app.theme, "dark")
end)

case("the app's properties can be bound", function()
  local model = model "look" { theme = "light", title = "Inbox" }
  bind "look.theme <> app.theme"
  bind "look.title -> app.title"
  same(app.theme, "light")
  same(app.title, "Inbox")
  app.theme = "dark"
  same(model.theme, "dark")
  local label = view.label { bindTo = { text = "app.theme" } }
  same(label.text, "dark")
  model.theme = "light"
  same(label.text, "light")
end)
