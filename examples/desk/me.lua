-- Who sits at this screen, and what they may do. With `serve --sessions private` each person has a
-- screen of their own.

local me = model "me" {
  -- The id of a person; empty until somebody has said who they are.
  id = "",
  person = computed(function(self)
    for _, person in ipairs(models.desk.people) do
      if person.id == self.id then return person end
    end
  end, function(self, person) self.id = person and person.id or "" end),
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
