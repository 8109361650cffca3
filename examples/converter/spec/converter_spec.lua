describe("the converter", function()
  before_each(function() ui.mount "app.lua" end)

  local function retype(id, text)
    ui.focus(id)
    ui.press "Ctrl-U"
    ui.type(id, text)
  end

  it("shows one temperature in several units", function()
    retype("celsius", "100")
    assert.property(models.temperature, "kelvin").is(373.15)
    assert.equal("212.00", views.fahrenheit.text)
    assert.equal("373.15", views.kelvin.text)
    assert.no_errors()
  end)

  it("keeps what was typed, and says what is wrong with it", function()
    retype("kelvin", "-1")
    assert.equal("-1", views.kelvin.text)
    assert.matches("absolute zero", views.kelvin.error)
    assert.matches("absolute zero", ui.snapshot())
  end)

  it("goes there and back in every unit", function()
    assert.lawful("fahrenheit", gen.number(-300, 1e6))
    assert.lawful "offset(-273.15)"
    assert.lawful "!scale(0.3048)"
    assert.lawful("scale(0.001) | number(4)", gen.number(0, 1e6), { lossy = true })
  end)

  it("follows whatever the model holds", function()
    forall(gen.number(0, 1e6), function(kelvin)
      models.temperature.kelvin = kelvin
      assert.near(kelvin, tonumber(views.kelvin.text), 0.005001)
    end)
    assert.no_errors()
  end)

  it("looks like itself", function() assert.snapshot(ui) end)
end)
