-- Says when the oven is warm enough.
observe(models.oven, "degrees", function(now)
  if now >= 180 then print("hot: " .. now) end
end)
