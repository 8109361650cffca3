randomize(42)

for number = 1, 8 do
  it('is number ' .. number, function() print(number) end)
end

describe('a block', function()
  for number = 1, 5 do
    it('has number ' .. number, function() if number == 3 then error 'third' end end)
  end
end)

describe('an ordered block', function()
  randomize(false)
  for number = 1, 3 do
    it('has number ' .. number, function() print('ordered', number) end)
  end
end)
