-- Who does the work.

local Person = class "Person" {
  name = "", email = "", team = "Deck", isAway = false,
  initials = computed(function(self) return self.name:sub(1, 1):upper() end),
  greet = function(self, other) return "Hello " .. other.name .. ", I am " .. self.name end,
}

local crew = model "crew" {
  members = list {
    Person { name = "Ada", email = "ada@harbour.example" },
    Person { name = "Bo", email = "bo@harbour.example", team = "Engine" },
    Person { name = "Cy", email = "cy@harbour.example", team = "Engine", isAway = true },
  },
  captain = object { name = "Dora", email = "dora@harbour.example", phone = "4711" },
}

local people = { Person = Person, crew = crew, members = crew.members }

people.present = crew.members:filter(function(person) return not person.isAway end)
people.teams = crew.members:group("team")

function people.find(name)
  for _, person in ipairs(crew.members) do
    if person.name == name then return person end
  end
end

function people.hire(name, team)
  local person = Person { name = name, team = team }
  crew.members:append(person)
  return person
end

function people.email(person)
  return ("%s <%s>"):format(person.name, person.email)
end

return people
