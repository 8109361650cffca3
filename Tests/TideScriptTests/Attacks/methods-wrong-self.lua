-- Methods called on what they do not belong to.
-- expect: fine
local o, l = object { n = 0 }, list { 1 }
local h = observe(o, "n", print)
local b = bind("n -> n", o, object { n = 0 })
for _, method in ipairs { l.append, l.insert, l.remove, l.set, l.clear, l.move, l.replace, l.indexOf, l.observe,
  h.cancel, b.unbind, b.enable, b.fire, b.connect, view.label {}.add, view.label {}.snapshot } do
  for _, self in ipairs { true, 0, "x", {}, print, o, l, h, b, null, view.label {}, coroutine.create(print) } do
    pcall(method, self)
    pcall(method, self, self)
    pcall(method, self, 1, self)
  end
  pcall(method)
end
