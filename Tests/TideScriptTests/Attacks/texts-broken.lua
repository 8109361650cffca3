-- Megabytes that are not UTF-8, which become three times as many where they are repaired: as names
-- they are refused before they are read, and messages and pictures have the beginning.
-- expect: fine
local big = ("\xff"):rep(2000000)
local o = object { a = 1 }

local function refused(what, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok, what)
  why = tostring(why)
  assert(#why < 10000 and why:find(what, 1, true), what .. ": " .. why:sub(1, 200))
end

local short = "make it shorter"
refused(short, binding, big)
refused(short, bind, big, o, o)
refused(short, bind, o, big, print)
refused(short, bind, { "a" }, big, o, o)
refused(short, unbind, o, big)
refused(short, observe, o, big, print)
refused(short, ref, o, big)
refused(short, why, o, big)
refused(short, isa, o, big)
refused(short, require, big)
refused(short, transformer, big, print)
refused(short, model, big)
refused(short, class, big)
refused(short, context, big, print)
refused(short, context.begin, big)
refused(short, view.component, big, { view = print })
refused(short, on, view.button {}, big, print)
refused(short, notification.post, big)
refused(short, notification.observe, big, print)
refused(short, trigger.change, o, big)
refused(short, trigger.notification, big)
refused(short, trigger.event, view.button {}, big)
refused(short, trigger.call, o, big)
refused("has no property", function() return o[big] end)
refused("has no property", function() o[big] = 1 end)
refused("have names", object, { [big] = 1 })
refused("have names", model "m", { [big] = 1 })
refused("have names", class "C", { [big] = 1 })
refused("has no option", observe, o, "a", print, { [big] = 1 })
refused("has no option", bind, "a -> a", o, o, { [big] = 1 })
refused("has no option", controller.list, { [big] = 1 })

local held = object { n = big, l = list { big }, d = dict { [big] = big } }
for _, picture in ipairs { held, held.l, held.d, list { held } } do
  assert(#tostring(picture) < 100000)
end
assert(held.n == big and held.l[1] == big and held.d[big] == big)
