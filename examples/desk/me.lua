-- Who sits at this screen, and what they may do. With `serve --sessions private` each person has a
-- screen of their own.
--
-- Where the server says who that is (`--trust-header`), it counts, and nobody can choose to be
-- somebody else. Otherwise people choose themselves: their roles keep nobody from anything then.

local function find(isMeant)
  for _, person in ipairs(models.desk.people) do
    if isMeant(person) then return person end
  end
end

-- By the login, or by the name of those who have none.
local function personNamed(name)
  return find(function(person) return person.login == name end)
    or find(function(person) return person.login == "" and person.name == name end)
end

local me = model "me" {
  isNamed = computed(function() return viewer.name ~= "" end),
  -- The id of the person that somebody has said they are.
  chosen = "",
  person = computed(function(self)
    if self.isNamed then return personNamed(viewer.name) end
    return find(function(person) return person.id == self.chosen end)
  end, function(self, person)
    if not self.isNamed then self.chosen = person and person.id or "" end
  end),
  id = computed(function(self) return self.person and self.person.id or "" end),
  name = computed(function(self) return self.person and self.person.name or "somebody" end),
  -- Keepers do everything; members borrow for themselves, and bring back; others look.
  isKeeper = computed(function(self)
    return self.person ~= nil and self.person.role == "keeper"
  end),
  isMember = computed(function(self) return self.person ~= nil end),
  -- What the last act has come to.
  message = "",
  tell = function(self, text) self.message = text or "" end,
}

return me
