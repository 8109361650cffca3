-- Money: integers of minor units, carried through arithmetic and texts.

local Bill = class "Bill" { cents = property { default = 0, type = "integer" } }

case("an integer through scale and offset takes every amount that is typed", function()
  local bill, field = Bill {}, view.field {}
  bind("cents <> text | scale(0.01)", bill, field)
  for cents = 0, 999 do
    field.text = ("%d.%02d"):format(cents // 100, cents % 100)
    same(bill.cents, cents)
    same(field.error, nil)
  end
  field.text = "0.295"
  same(bill.cents, 999)
  assert(field.error:find "fraction")
  local other, through = Bill {}, view.field {}
  bind("cents <> text | offset(0.1) | !scale(3)", other, through)
  through.text = tostring((7 + 0.1) / 3)
  same(other.cents, 7)
end)

case("a reference and a controller's selection take them, too", function()
  local bill = Bill {}
  local price = ref(bill, "cents", "scale(0.01)")
  price.value = 0.57
  same(bill.cents, 57)
  local bills, field = controller.list { content = list { bill } }, view.field {}
  bind("selection.cents <> text | scale(0.01)", bills, field)
  field.text = "1.13"
  same(bill.cents, 113)
end)

case("what a field shows of an amount, typed again, is that amount", function()
  for _, expression in ipairs { "minor(2)", "currency(EUR)", "currency(JPY)", "currency(BHD)" } do
    for _, locale in ipairs { "en", "de", "de-CH", "fr", "nl" } do
      app.locale = locale
      local bill, field = Bill { cents = -1234567 }, view.field {}
      bind("cents <> text | " .. expression, bill, field)
      local shown = field.text
      field.text = ""
      field.text = shown
      same(bill.cents, -1234567)
      same(field.error, nil)
    end
  end
  app.locale = "en"
end)

case("an amount that is none keeps the model's", function()
  local bill, field = Bill { cents = 1250 }, view.field {}
  bind("cents <> text | currency(EUR)", bill, field)
  same(field.text, "€12.50")
  field.text = "12.505"
  same(bill.cents, 1250)
  assert(field.error:find("€12.50", 1, true))
  field.text = "12.5"
  same(bill.cents, 1250)
  same(field.error, nil)
end)
