-- Rich text, markup, and labels that show it.

case("rich text has parts with looks of their own", function()
  local text = rich { "Total: ", rich.bold(12), rich.color("red", "!") }
  same(tostring(text), "Total: 12!")
  same(text.text, "Total: 12!")
  same(#text, 10)
  local label = view.label { text = text }
  same(label.text, text)
  same(label:snapshot(20, 1):match "%S.*%S", "Total: 12!")
end)

case("rich texts are equal when they look equal", function()
  same(rich { "a", rich.bold "b" }, rich { "a", rich.bold "b" })
  same(rich { "a", "b" }, rich "ab")
  same(rich.bold "a" == rich.italic "a", false)
  same(rich.bold { "a", rich.italic "b" }, rich { rich.bold "a", rich.bold(rich.italic "b") })
  same(rich.bold "a" .. "b", rich { rich.bold "a", "b" })
  same("a" .. rich.bold "b", rich { "a", rich.bold "b" })
end)

case("a rich text goes through bindings, live functions and transformers", function()
  local message = model "message" { title = property { default = rich.bold "one" }, name = "Ada" }
  local bound = view.label { bindTo = { text = "message.title" } }
  same(bound.text, rich.bold "one")
  message.title = rich.italic "two"
  same(bound.text, rich.italic "two")
  local live = view.label { text = function() return rich { "Dear ", rich.bold(message.name) } end }
  same(live.text, rich { "Dear ", rich.bold "Ada" })
  message.name = "Bob"
  same(live.text, rich { "Dear ", rich.bold "Bob" })
  transformer("loud", function(text) return rich.bold(text:upper()) end)
  local loud = view.label { bindTo = { text = "message.name | loud" } }
  same(loud.text, rich.bold "BOB")
  message.title = "plain"
  same(bound.text, "plain")
end)

case("where plain text is wanted, a rich text gives its characters", function()
  local label, field = view.label { text = rich.bold "one" }, view.field {}
  bind("text -> text", label, field)
  same(field.text, "one")
  label.text = rich.italic "two"
  same(field.text, "two")
  local other = view.label {}
  bind("text -> text", label, other)
  same(other.text, rich.italic "two")
  local button = view.button {}
  fails("button.title holds string", function() button.title = wrong(rich.bold "x") end)
end)

case("markup has bold, italic, colours and styles", function()
  style.define("danger", { textColor = "red" })
  same(rich.markup "*Hello* _world_", rich { rich.bold "Hello", " ", rich.italic "world" })
  same(rich.markup "{red:late} {danger muted:x}", rich { rich.color("red", "late"), " ", rich.style("danger muted", "x") })
  same(rich.markup "*a _b_*", rich.bold { "a ", rich.italic "b" })
  same(rich.markup "2 * 3 snake_case \\*x\\* \\{\\} 100%%", rich "2 * 3 snake_case *x* {} 100%")
end)

case("what stands for %s in markup is never markup", function()
  same(rich.markup("*%s*", "*b* {red:x} %s"), rich.bold "*b* {red:x} %s")
  same(rich.markup("%s and %s", 12, rich.italic "x"), rich { "12 and ", rich.italic "x" })
  local evil = "*a* _b_ {red:c} \\ %d"
  same(rich.markup(rich.escape(evil)), rich(evil))
end)

case("what is wrong in rich text says so", function()
  fails("a * that nothing closes", rich.markup, "*a")
  fails("a { that nothing closes", rich.markup, "{red:a")
  fails("} that closes nothing", rich.markup, "a}")
  fails("a name and a colon", rich.markup, "{red}")
  fails('neither a style\'s nor a colour\'s; did you mean "muted"?', rich.markup, "{mutde:a}")
  fails("more %s than there are arguments", rich.markup, "%s")
  fails("fewer %s than there are arguments", rich.markup, "a", 1)
  fails("neither %s nor %%", rich.markup, "%d", 1)
  fails("ends with a \\", rich.markup, "a\\")
  fails('"rde" is not a colour; did you mean "red"?', rich.color, "rde", "x")
  fails('there is no style "mutde"; did you mean "muted"?', rich.style, "mutde", "x")
  fails("bad argument #1 to 'rich.bold'", rich.bold, print)
  fails("part 2 of the rich text", rich, { "a", {} })
  fails("element 2 is nil", rich, { "a", nil, "b" })
  fails('rich has no "blod"; did you mean "bold"?', function() return rich[wrong "blod"] end)
  fails("cannot join rich text", function() return rich "a" .. wrong {} end)
end)
