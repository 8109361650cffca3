-- Very many bindings wait for names which nothing will bear.
-- expect: error "nomodel1"
for i = 1, 5000 do bind("nomodel" .. i .. ".a -> nov.text") end
after(0, function()
  for i = 1, 5000 do bind("other" .. i .. ".a -> nov.text") end
end)
