-- Very many bindings that wait for names which nothing will bear: some are told one by one, the others
-- as a number.
-- expect: error "there is no model or view named"
for i = 1, 5000 do bind("nomodel" .. i .. ".a -> nov.text") end
after(0, function()
  for i = 1, 5000 do bind("other" .. i .. ".a -> nov.text") end
end)
