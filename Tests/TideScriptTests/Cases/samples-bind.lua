-- The samples of BIND's manual: a person's cell, the directions, a transformer.

local function cell() return object { textLabel = { text = "" } } end

case("BIND's cell: the expression first, the view model later, and again", function()
  local PersonTableViewCell = class "PersonTableViewCell" {
    textLabel = property {}, binding = property {},
    init = function(self)
      self.textLabel = object { text = "" }
      self.binding = binding "name -> textLabel.text"
    end,
    updateWithViewModel = function(self, viewModel) self.binding:connect(viewModel, self) end,
  }
  local made = PersonTableViewCell {}
  local ada, eve = object { name = "Ada" }, object { name = "Eve" }
  made:updateWithViewModel(ada)
  same(made.textLabel.text, "Ada")
  made:updateWithViewModel(eve)
  same(made.textLabel.text, "Eve")
  ada.name = "Ada L."
  same(made.textLabel.text, "Eve")
  eve.name = "Eve O."
  same(made.textLabel.text, "Eve O.")
end)

case("BIND's directions: ->, <- and <>", function()
  local person, c = object { name = "Ada" }, cell()
  local b = bind("name -> textLabel.text", person, c)
  c.textLabel.text = "x"
  same(person.name, "Ada")
  b:unbind()
  b = bind("name <- textLabel.text", person, c)
  same(person.name, "x")
  person.name = "y"
  same(c.textLabel.text, "x")
  c.textLabel.text = "z"
  same(person.name, "z")
  b:unbind()
  person.name = "Ada"
  bind("name <> textLabel.text", person, c)
  same(c.textLabel.text, "Ada")
  c.textLabel.text = "Eve"
  same(person.name, "Eve")
  person.name = "Bob"
  same(c.textLabel.text, "Bob")
end)

case("BIND's initial values can be left out", function()
  local person, c = object { name = "Ada" }, cell()
  bind("name -> textLabel.text", person, c, { initial = false })
  same(c.textLabel.text, "")
  person.name = "Eve"
  same(c.textLabel.text, "Eve")
end)

case("BIND's transformer: capitalized one way, as it is the other, reversed by !", function()
  transformer "CapitalizeStringTransformer" {
    transform = function(s) return (s:gsub("%f[%a]%l", string.upper)) end,
    reverse = function(s) return s end,
  }
  local person, c = object { name = "ada lovelace" }, cell()
  local b = bind("name -> textLabel.text | CapitalizeStringTransformer", person, c)
  same(c.textLabel.text, "Ada Lovelace")
  b:unbind()
  b = bind("name -> textLabel.text | !CapitalizeStringTransformer", person, c)
  same(c.textLabel.text, "ada lovelace")
  b:unbind()
  c.textLabel.text = "eve o."
  bind("name <- textLabel.text | !CapitalizeStringTransformer", person, c)
  same(person.name, "Eve O.")
end)
