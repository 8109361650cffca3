-- What is given wrongly is refused where it is given, and says what was meant.

case("a property's options are of their types", function()
  fails("the option \"validate\" of property is a function, not 3", property, { validate = 3 })
  fails("the option \"readonly\" of property is true or false", property, { readonly = "no" })
  fails("the option \"nullable\" of property is true or false", property, { nullable = 0 })
  fails("the option \"type\" of property is a string", property, { type = 5 })
  fails("the option \"description\" of property is a string", property, { description = {} })
  fails("the option \"enum\" of property is a list of names", property, { enum = {} })
  fails("the option \"enum\" of property is a list of names", property, { enum = { "a", 2 } })
  fails("the option \"enum\" of property is a list of names", property, { enum = "a" })
  local o = object { e = property { enum = { "a", "b" }, readonly = false } }
  o.e = "b"
  same(o.e, "b")
end)

case("a context's options are of their types, and a bad call clears nothing", function()
  local from, to = object { v = 1 }, object { v = 0 }
  context("kept", function() bind("v -> v", from, to) end)
  fails("\"replace\" or \"keep\", not 5", context, "kept", { policy = 5 }, function() end)
  fails("the option \"enabled\" of context is true or false, not \"no\"", context, "kept", { enabled = "no" }, print)
  fails("bad argument #1 to 'context' (name or data object expected, got number)", context, 3, print)
  fails("function expected", context, "kept")
  from.v = 2
  same(to.v, 2)
end)

case("a timer waits for a number of seconds that can pass", function()
  for _, make in ipairs { after, every } do
    for _, seconds in ipairs { -1, 0 / 0, math.huge, -math.huge } do
      fails("a number of seconds, 0 or more, expected", make, seconds, print)
    end
    fails("number expected, got string", make, "soon", print)
  end
end)

case("a transformer's name is one word", function()
  for _, name in ipairs { "", "a b", "a|b", "1a", "a(2)", "!a" } do
    fails("a transformer's name is one word", transformer, name, tostring)
  end
end)

case("unbind takes a path, and refuses one that cannot be", function()
  local person = object { name = "Ada", address = object { city = "London", street = "Row" } }
  local label = object { a = "", b = "", c = "" }
  bind("address.city -> a", person, label)
  bind("address.street -> b", person, label)
  bind("name -> c", person, label)
  unbind(person, "address.city")
  person.address.city, person.address.street, person.name = "Paris", "Rue", "Eve"
  same(label.a .. " " .. label.b .. " " .. label.c, "London Rue Eve")
  unbind(person, "name")
  person.name = "Zoe"
  same(label.c, "Eve")
  same(#bindings(person), 1)
  fails("did you mean \"name\"", unbind, person, "nmae")
  fails("expected a name", unbind, person, "name..x")
  -- The far end of a path that is written.
  local other = object { v = "x" }
  bind("v -> address.city", other, person)
  unbind(person, "address.city")
  other.v = "y"
  same(person.address.city, "x")
end)

case("what is dropped is gone when a script has collected it", function()
  local source, target = object { v = 1 }, object { v = 0 }
  local bound
  do
    local owner = object { n = 1 }
    context(owner, function() bind("v -> v", source, target) end)
    local gone = object { v = 5 }
    bound = bind("v -> w", gone, object { w = 0 })
  end
  collectgarbage()
  collectgarbage()
  source.v = 2
  same(target.v, 1)
  same(bound.enabled, false)
  same(bound.error, nil)
  same(#errors(), 0)
end)

case("an error without a location of its own is listed at the line that set it off", function()
  local rows = list { { n = 1 } }
  local controlled = controller.list { content = rows }
  controlled.sort = "m"
  same(#errors(), 1)
  if not errors()[1].location:find("arguments.lua:", 1, true) then error(errors()[1].location) end
end)
