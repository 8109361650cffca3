describe("the board", function()
  local board

  before_each(function()
    ui.mount "app.lua"
    board = models.board
  end)

  after_each(function() assert.no_errors() end)

  local function card(title)
    for _, each in ipairs(board.cards) do
      if each.title == title then return each end
    end
  end

  local function shown(column)
    local titles = {}
    for _, each in ipairs(views["cards" .. column].items) do titles[#titles + 1] = each.title end
    return table.concat(titles, ", ")
  end

  it("begins with some cards, and the first of them is chosen", function()
    assert.equal("Paint the boat", views.title.text)
    assert.equal("All saved", views.state.text)
  end)

  it("adds a card to the column that one is in", function()
    ui.press "Right F2"
    ui.type("title", "Wax the sails\n")
    assert.equal("Read the tide table, Wax the sails", shown(2))
    assert.equal("Wax the sails", models.chosen.card.title)
  end)

  it("moves a card from column to column, and stays with it", function()
    ui.press "Down >"
    assert.equal("Read the tide table, Buy lamp oil", shown(2))
    ui.press "> >"
    assert.equal("Water the plants, Wind the clock, Buy lamp oil", shown(3))
    ui.press "Alt-Left"
    assert.equal("doing", card("Buy lamp oil").column)
    assert.equal("Buy lamp oil", views.title.text)
  end)

  it("orders the cards of a column", function()
    ui.press "Alt-Down"
    assert.equal("Buy lamp oil, Paint the boat, Answer Ada's letter", shown(1))
    ui.press "Down Alt-Up Alt-Up"
    assert.equal("Answer Ada's letter, Buy lamp oil, Paint the boat", shown(1))
  end)

  it("takes back what was done", function()
    ui.press "Delete"
    assert.equal("Buy lamp oil, Answer Ada's letter", shown(1))
    assert.equal("Buy lamp oil", views.title.text)
    ui.press "F7"
    assert.equal("Paint the boat, Buy lamp oil, Answer Ada's letter", shown(1))
    ui.press "F8"
    assert.is_nil(card "Paint the boat")
  end)

  it("goes through the columns, also through an empty one", function()
    ui.press "Right Delete"
    assert.equal("", views.title.text)
    assert.is_false(views.card.enabled)
    ui.press "Right"
    assert.equal("Water the plants", views.title.text)
    ui.press "Left Left"
    assert.equal("Paint the boat", views.title.text)
  end)

  it("follows the chosen card where others move it", function()
    card("Paint the boat").column = "done"
    assert.equal(3, models.chosen.column)
    assert.equal("Paint the boat", views.title.text)
  end)

  it("types into no other card when others remove the one that is edited", function()
    ui.press "Enter"
    board.cards:removeObject(card "Paint the boat")
    ui.press "x"
    assert.equal("Buy lamp oil, Answer Ada's letter", shown(1))
  end)
end)

describe("the people at the board", function()
  local people, board

  before_each(function()
    ui.mount "app.lua"
    people, board = require "people", models.board
  end)

  after_each(function() assert.no_errors() end)

  local function come(name)
    local person = people.Person { id = "2", name = name, card = board.cards[2].id }
    models.people.all:append(person)
    return person
  end

  it("have a name and a row", function()
    assert.equal("● Heron (you)", tostring(views.people.text):match "^(.-)%s*$")
    assert.equal(1, #models.people.all)
    assert.equal(board.cards[1].id, models.people.all[1].card)
  end)

  it("are at a card, and edit it", function()
    local bob = come "Bob"
    assert.matches("● Bob", ui.snapshot())
    bob.isEditing = true
    assert.matches("✎ Bob", ui.snapshot())
    ui.press "Enter"
    assert.is_true(models.people.all[1].isEditing)
    ui.press "Escape"
    assert.is_false(models.people.all[1].isEditing)
  end)

  it("have gone when nothing is heard of them", function()
    local bob = come "Bob"
    for beat = 1, 10 do
      bob.beats = beat
      clock.advance(3)
      assert.matches("Bob", tostring(views.people.text))
    end
    clock.advance(15)
    assert.not_matches("Bob", tostring(views.people.text))
    clock.advance(60)
    assert.equal(1, #models.people.all)
  end)

  it("come back when others have taken them for gone", function()
    models.people.all:clear()
    assert.equal("Heron", models.people.all[1].name)
  end)
end)

describe("two who do something at once", function()
  local board, card

  before_each(function()
    ui.mount "app.lua"
    board = models.board
    card = board.cards[1]
  end)

  after_each(function() assert.no_errors() end)

  local function conflict(property, mine, theirs)
    models.conflicts.all:append(object { card = card, property = property, mine = mine,
      theirs = theirs })
  end

  it("are asked which shall stay", function()
    card.title = "Mine"
    conflict("title", "Mine", "Theirs")
    assert.equal("Two changed the title at once. Yours: “Mine”, theirs: “Theirs”.",
      views.conflict.text)
    ui.tap "mine"
    assert.equal("Mine", card.title)
    assert.is_true(views.conflict.superview.hidden)
  end)

  it("may take the other's, and think better of it", function()
    card.title = "Mine"
    conflict("title", "Mine", "Theirs")
    ui.press "F4"
    assert.equal("Theirs", card.title)
    ui.press "F7"
    assert.equal("Mine", card.title)
  end)

  it("say columns by their titles", function()
    conflict("column", "doing", "done")
    assert.matches("Yours: Doing, theirs: Done.", views.conflict.text)
  end)

  it("may put back what others have removed", function()
    board.cards:removeObject(card)
    conflict("removal", "changed", "removed")
    assert.equal("Somebody removed “Paint the boat” while you changed it.", views.conflict.text)
    ui.press "F5"
    assert.equal(card, board.cards[#board.cards])
  end)

  it("may put back what they have removed themselves", function()
    board.cards:removeObject(card)
    conflict("removal", "removed", "changed")
    assert.matches("You removed", views.conflict.text)
    ui.press "F5"
    assert.equal(5, #board.cards)
    conflict("removal", "removed", "changed")
    ui.press "F4"
    assert.equal(card, board.cards[#board.cards])
  end)
end)
