--- observer: an observer
o = object { n = 0 }
observe(o, "n", step)
function enter() o.n = o.n + 1 end

--- observer-before: an observer before the write
o = object { n = 0 }
observe(o, "n", function(new, old, change) if change.prior then step() end end, { prior = true })
function enter() o.n = o.n + 1 end

--- observer-of-all: an observer of all properties
o = object { n = 0, m = 0 }
observe(o, function(name) step() end)
function enter() o.n = o.n + 1 end

--- observer-of-list: an observer of a list
l = list {}
l:observe(step)
function enter() l:append(#l) end

--- observer-delayed: an observer that a binding with a delay sets off
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { delay = 0.001 })
observe(b, "n", step)
count = 0
function enter() count = count + 1 if count % 4 == 1 then a.n = a.n + 1 end end

--- observer-throttled: an observer that a throttled binding sets off
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { throttle = 0.001 })
observe(b, "n", step)
function enter() a.n = a.n + 1 end

--- observer-of-frame: an observer that a binding sets off at the next frame
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { deliver = "frame" })
observe(b, "n", step)
show(view.label { text = function() return "n " .. a.n end })
function enter() a.n = a.n + 1 end

--- observer-by-timer: an observer that a binding triggered by a timer sets off
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { trigger = trigger.every(0.003) })
observe(b, "n", step)
function enter() a.n = a.n + 1 end

--- observer-by-call: an observer that a binding triggered by a method call sets off
a, b = object { n = 0, act = function(self) end }, object { n = 0 }
bind("n -> n", a, b, { trigger = trigger.call(a, "act") })
observe(b, "n", step)
function enter() a.n = a.n + 1 a:act() end

--- effect: an effect
o = object { n = 0 }
effect(function() if o.n > 0 then step() end end)
function enter() o.n = o.n + 1 end

--- effect-cleanup: the clean-up of an effect
o = object { n = 0 }
effect(function() local n = o.n return step end)
function enter() o.n = o.n + 1 end

--- effect-delayed: an effect that a binding with a delay sets off
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { delay = 0.001 })
effect(function() if b.n > 0 then step() end end)
count = 0
function enter() count = count + 1 if count % 4 == 1 then a.n = a.n + 1 end end

--- computed: a computed value that a script reads

o = object { n = 0, double = computed(function(self) local n = self.n step() return self.n * 2 end) }
function enter() o.n = o.n + 1 local n = o.double end

--- computed-bound: a computed value that a binding reads
a = object { n = 0, double = computed(function(self) local n = self.n step() return self.n * 2 end) }
b = object { n = 0 }
bind("double -> n", a, b)
function enter() a.n = a.n + 1 end

--- computed-deep: a computed value that another one reads
a = object { n = 0, double = computed(function(self) local n = self.n step() return self.n * 2 end) }
first = a
for i = 1, 20 do
  local before = a
  a = object { double = computed(function() return before.double + 1 end) }
end
function enter() first.n = first.n + 1 local n = a.double end

--- setter: the setter of a computed value
o = object { n = 0, double = computed(
  function(self) return self.n * 2 end, function(self, value) step() self.n = value // 2 end) }
count = 0
function enter() count = count + 2 o.double = count end

--- setter-bound: the setter of a computed value that a binding writes
a = object { n = 0 }
b = object { n = 0, double = computed(
  function(self) return self.n * 2 end,
  function(self, value) if value > 0 then step() end self.n = value // 2 end) }
bind("n -> double", a, b)
function enter() a.n = a.n + 2 end

--- validator: a validator
o = object { n = property { default = 0, validate = function(self, value) step() return value end } }
count = 0
function enter() count = count + 1 o.n = count end

--- validator-bound: a validator of what a binding writes
a = object { n = 0 }
b = object { n = property { default = 0, validate = function(self, value) if value > 0 then step() end return value end } }
bind("n -> n", a, b)
function enter() a.n = a.n + 1 end

--- transformer: a transformer
a, b = object { n = 0 }, object { n = 0 }
transformer("door", function(value) if value > 0 then step() end return value end)
bind("n -> n | door", a, b)
function enter() a.n = a.n + 1 end

--- transformer-waiting: a transformer that has waited
a, b = object { n = 0 }, object { n = 0 }
transformer("door", function(value) if value > 0 then sleep(0) step() end return value end)
bind("n -> n | door", a, b)
count = 0
function enter() count = count + 1 if count % 4 == 1 then a.n = a.n + 1 end end

--- transformer-reverse: the reverse of a transformer
a, b = object { n = 0 }, object { n = 0 }
transformer "door" { transform = function(value) return value end,
  reverse = function(value) if value > 0 then step() end return value end }
function enter()
  -- A transformer that waits ends a two-way binding.
  if #bindings(b) == 0 then bind("n <> n | door", a, b) end
  b.n = b.n + 1
end

--- transformer-of-ref: a transformer of a reference
o = object { n = 0 }
r = ref(o, "n", function(value) if value > 0 then step() end return value end)
function enter() o.n = o.n + 1 local n = r.value end

--- binding-function: a function that is the source of a binding
a, b = object { n = 0 }, object { n = 0 }
bind(b, "n", function() if a.n > 0 then step() end return a.n end)
function enter() a.n = a.n + 1 end

--- binding-when: the option "when" of a binding
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { when = function() if a.n > 0 then step() end return true end })
function enter() a.n = a.n + 1 end

--- binding-validate: the option "validate" of a binding
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { validate = function(value) if value > 0 then step() end return value end })
function enter() a.n = a.n + 1 end

--- binding-observe: the option "observe" of a binding
a, b = object { n = 0 }, object { n = 0 }
bind("n -> n", a, b, { observe = function() if a.n > 0 then step() end end })
function enter() a.n = a.n + 1 end

--- notification: an observer of a notification
notification.observe("door", step)
function enter() notification.post("door") end

--- feed: the fetch of a feed
rows = feed { page = 1, fetch = function(offset, count) step() return { offset } end }
function enter() rows:fetchMore() end

--- filter: the function of a filter
l = list {}
odd = l:filter(function(value) step() return value % 2 == 1 end)
function enter() l:append(#l) local n = #odd end

--- map: the function of a mapped list
l = list {}
mapped = l:map(function(value) step() return value end)
function enter() l:append(#l) local n = #mapped end

--- group: the key of a grouped list
l = list {}
groups = l:group(function(value) step() return value % 2 end)
function enter() l:append(#l) local n = #groups end

--- sorted-key: the key of a sorted list
l = list { 1, 2 }
sorted = l:sorted(function(value) step() return -value end)
function enter() l:append(#l) local n = #sorted end

--- sorted-comparison: the comparison of a sorted list
l = list { 1, 2 }
sorted = l:sorted(function(a, b) step() return a < b end)
function enter() l:append(#l) local n = #sorted end

--- controller-filter: the filter of a list controller
l = list {}
c = controller.list { content = l, filter = function(object) step() return true end }
function enter() l:append(object { n = #l }) local n = #c.arrangedObjects end

--- controller-sort: the sorting of a list controller
l = list { object { n = 0 } }
c = controller.list { content = l, sort = function(a, b) step() return a.n < b.n end }
function enter() l:append(object { n = #l }) local n = #c.arrangedObjects end

--- controller-observer: an observer of the selection of a controller
l = list { object { n = 1 }, object { n = 2 } }
c = controller.list { content = l }
observe(c, "selectionIndex", step)
function enter() c.selectionIndex = c.selectionIndex == 1 and 2 or 1 end
