-- K: KJSimpleBinding.

local function bound(options)
  local model, target = object { n = 5 }, object { n = 1 }
  return model, target, bind("n -> n", model, target, options)
end

case("K1 bound but disabled the target keeps its value; enabled it takes the source's", function()
  local _, target, b = bound { enabled = false }
  same(target.n, 1)
  b:enable()
  same(target.n, 5)
end)

case("K2 enabled, successive changes arrive", function()
  local model, target = bound()
  carries(model, "n", target, "n", { { 6, 6 }, { 7, 7 } })
end)

case("K3 disabled, later changes do not", function()
  local model, target, b = bound()
  b:disable()
  model.n = 6
  same(target.n, 5)
  b:enable()
  same(target.n, 6)
end)

case("K4 bound while enabled, it is copied at once", function()
  local _, target = bound()
  same(target.n, 5)
end)

case("K5 a context cleared ignores changes, stays enabled, and binds again", function()
  local model, target = object { n = 5 }, object { n = 1 }
  context("set", function() bind("n -> n", model, target) end)
  context.clear("set")
  model.n = 6
  same(target.n, 5)
  context("set", { policy = "keep" }, function() bind("n -> n", model, target) end)
  same(target.n, 6)
end)

-- One and two are the values of what is bound to the two properties of the target.
local function independent(one, two, change)
  local target = object { a = 0, b = 0 }
  bind("a -> a", one, target)
  bind("b -> b", two, target)
  change()
  return target.a, target.b
end

case("K6 two properties to two targets are independent", function()
  local model = object { a = 1, b = 2 }
  local a, b = independent(model, model, function() model.a = 3 end)
  same(a, 3)
  same(b, 2)
end)

case("K7 so are two models", function()
  local one, two = object { a = 1 }, object { b = 2 }
  local a, b = independent(one, two, function() two.b = 9 end)
  same(a, 1)
  same(b, 9)
end)

case("K8 a transform from number to string", function()
  local model, target = object { n = 33 }, object { text = "" }
  bind("n -> text", model, target, { transform = function(n) return tostring(n) end })
  same(target.text, "33")
  model.n = 22
  same(target.text, "22")
end)

case("K9 a nested path arrives", function()
  local model, target = object { submodel = { stringValue = "a" } }, object { text = "" }
  bind("submodel.stringValue -> text", model, target)
  same(target.text, "a")
  model.submodel.stringValue = "b"
  same(target.text, "b")
end)
