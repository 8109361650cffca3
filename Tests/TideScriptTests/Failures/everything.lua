-- Uses every function of the API once and checks what it gave. It is run with each of its
-- allocations failing in turn.
local notes = {}
local function note(text) notes[#notes + 1] = tostring(text) end

-- Objects.
local fruit = model "fruit" { name = "apple", color = "red", weight = 1.5, ripe = true }
local Person = class "Person" {
  first = "", last = "",
  age = property { default = 0, type = "integer", validate = function(self, v)
    if v < 0 then return nil, "age must not be negative" end
    return v
  end },
  address = property {},
  kind = property { default = "adult", enum = { "adult", "child" }, description = "what they are" },
  fullName = computed(function(self) return self.first .. " " .. self.last end,
    function(self, v) self.first, self.last = v:match("(%S+) (%S+)") end),
  greet = function(self) return "Hi, " .. self.first end,
  init = function(self) self.address = { street = "Main Street", number = 5 } end,
}
local Worker = class("Worker", Person) { job = "none", work = function(self) return Person.greet(self) end }
local jim = Worker { first = "Jim", last = "Beam", job = "baker" }
assert(jim.fullName == "Jim Beam" and jim:work() == "Hi, Jim" and isa(jim, Person) and isa(jim, "Worker"))
jim.fullName = "Jack Daniel"
assert(jim.first == "Jack" and jim.address.street == "Main Street")
local ok, message = pcall(function() jim.age = -1 end)
assert(not ok)
assert(not pcall(function() jim.kind = "elder" end))
assert(not pcall(function() return jim.nonsense end))
assert(not pcall(function() jim.nonsense = 1 end))
for name, value, kind in properties(fruit) do note(name .. kind) end
for name, value in pairs(fruit) do note(name) end
note(tostring(fruit) .. tostring(jim) .. tostring(Person) .. tostring(jim.address))
fruit.name = ("a name that is longer than what Lua interns "):rep(3)
fruit.name = fruit.name .. "!"
fruit.weight = 7
fruit.ripe = false
assert(models.fruit == fruit)
for name in pairs(models) do note(name) end
local anonymous = object { a = 1, b = "two", c = { 1, 2, 3 }, d = { e = { f = 1 } }, g = function() end, h = setmetatable({}, {}) }
anonymous.c = { 4, 5 }
anonymous.d.e.f = 2

-- Lists and dicts.
local l = list { "a", "b", "c" }
l:append("d", "e")
l:insert(1, "z")
l:remove(2)
l:removeObject("c")
l:move(1, 2)
l:replace(1, "y")
l[#l + 1] = "end"
l[2] = null
assert(l:indexOf("end") == #l)
for i, v in ipairs(l) do note(i) end
for i, v in pairs(l) do note(i) end
note(table.concat(list { "x", "y" }, ","))
note(#l:totable())
local edits = l:observe(function(change) note(change.kind .. #change.indexes .. #change.objects) end)
l:observe(function(changes) note(#changes) end, { batch = true, initial = true })
l:set { "b", "a", "c" }
table.sort(l)
table.insert(l, "x")
table.remove(l, 1)
edits:cancel()
l:clear()
local d = dict { one = 1, two = "2" }
d.three = { 3 }
d.one = nil
for key, value in pairs(d) do note(key) end
note(dump(d) .. dump(l) .. dump(jim) .. dump({ 1, { a = 2 } }))

-- Observation.
local seen
local h = observe(jim, "first", function(new, old, change) seen = new end, { initial = true })
observe(jim, function(name, new, old) note(name) end)
observe(anonymous, "c", function() note("c") end)
jim.first = "Johnnie"
assert(seen == "Johnnie")
anonymous.c:append(6)
h:cancel()
local runs = 0
local e = effect(function()
  runs = runs + 1
  local name = jim.fullName
  return function() note("clean") end
end)
jim.last = "Walker"
assert(runs == 2)
batch(function() jim.first = "A" jim.last = "B" end)
assert(runs == 3)
untracked(function() return jim.first end)
e:cancel()

-- Bindings.
transformer("shout", function(s) return s:upper() .. "!" end)
transformer "half" { transform = function(n) return n / 2 end, reverse = function(n) return n * 2 end }
transformer("scale", function(n, by) return n * by end)
local label, field = object { text = "" }, object { text = "", n = 0 }
bind("fullName -> text | shout", jim, label)
assert(label.text == "A B!")
local two = bind("first <> text", jim, field, { null = "(none)", fallback = "?", name = "two",
  observe = function(o, v, change) note(v) end })
field.text = "From the field"
assert(jim.first == "From the field")
bind("fruit.weight -> target.n | half | scale(3)", { roots = { target = field } })
assert(field.n == 10.5)
bind(label, "text", function() return jim.first .. jim.last end)
local later = binding "first -> text"
later:connect(jim, object { text = "" })
later:connect(jim, object { text = "" })
two:disable()
two:enable()
two:fire()
note(tostring(two) .. two.description .. tostring(two.location) .. tostring(two.error) .. tostring(two.enabled))
note(tostring(two.source) .. tostring(two.target))
two:unbind()
bind("address.street -> text", jim, field)
bind("c.@count -> n", anonymous, field)
jim.address = { street = "Side Street", number = 1 }
assert(field.text == "Side Street")
note(#bindings() .. #bindings(jim) .. #errors())
bind("n -> n", object { n = 1 }, object { n = 0 }, { transform = function(n) return n + 1 end })
bind("s -> s | uppercase", object { s = "x" }, object { s = "" }, { format = "<%s>" })
unbind(label)
unbind(field, "text")
assert(not pcall(bind, "nonsense -> text", jim, label))
assert(not pcall(bind, "a -> -> b", jim, label))

-- Contexts.
context("first", function()
  bind("first -> text", jim, label)
  context("second", { policy = "keep" }, function() observe(jim, "last", function() end) end)
end)
context.begin("third")
effect(function() return jim.first end)
context.finish()
note(#context.list())
context.disable("first")
jim.first = "unseen"
context.enable("first")
assert(label.text == "unseen")
context.clear("first")
context(jim, "own", function() observe(jim, "first", function() end) end)

-- Views, events, notifications, time.
local count = object { n = 0 }
local root = view.column {
  id = "root",
  view.label { id = "title", text = function() return "count " .. count.n end },
  view.label { bindTo = { text = "fruit.color" } },
  view.field { id = "entry", text = "typed", on = { editingChanged = function() end }, keys = { ["Ctrl-S"] = function() end } },
  view.button { title = "go", on = { touchUpInside = function() count.n = count.n + 1 end } },
  function() return { view.label { text = "live " .. count.n } } end,
}
show(root)
assert(views.title.text == "count 0")
on(views.entry, "editingDidEnd", function(sender, event) end)
count.n = 5
assert(views.title.text == "count 5")
note(root:snapshot(40, 10))
root:add(view.label { text = "more" }, 1)
root:find("title"):remove()
root:find { class = "button" }:focus()
notification.observe("ping", function(n) note(n.name .. tostring(n.info)) end)
notification.observe("ping", jim, function() note("from jim") end)
notification.post("ping", jim, { 1 })
local t = after(0, function() note("later") end)
every(1000, function() end):cancel()
t:cancel()
note(now())


-- The rest.
log.info("a message", { field = 1 })
assert(require("tidelock").bind == bind and arg[0])
assert(not pcall(require, "nowhere.to.be.found"))
assert(not pcall(function() models.nobody() end))
local co = coroutine.wrap(function() jim.first = "in a coroutine" coroutine.yield(jim.first) end)
assert(co() == "in a coroutine")
pcall(error, setmetatable({}, { __tostring = function() return "text" end }))
collectgarbage()
return table.concat(notes, " ")
