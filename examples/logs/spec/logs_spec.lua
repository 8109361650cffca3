local reading = require "reading"

describe("what a line says", function()
  it("has a level by its words", function()
    assert.equal("failure", reading.style "12:00 ERROR no such file")
    assert.equal("caution", reading.style "[warn] it is late")
    assert.equal("chatter", reading.style "level=debug n=1")
    assert.equal("failure", reading.style "E0102 glog writes so")
    assert.is_nil(reading.style "TERRORS of the deep, an errand, plan E for all")
  end)

  it("is found as plain text or by a pattern", function()
    assert.equal(3, reading.finder("b.", false) "aab.B")
    assert.is_nil(reading.finder("B.", false) "aab.")
    assert.equal(2, reading.finder("%d+", true) "a12")
    assert.is_nil(reading.finder("", true))
  end)

  it("is not found by a pattern that is wrong", function()
    assert.is_nil(reading.finder("a[", true) "ab")
    assert.is_not_nil(reading.mistake "a[")
    assert.is_nil(reading.mistake "a[bc]%d-$")
  end)
end)

describe("the log viewer", function()
  -- Twelve lines of which each third is a warning.
  local function lines(count)
    local lines = {}
    for number = 1, count do
      lines[number] = (number % 3 == 0 and "WARN " or "INFO ") .. "line " .. number
    end
    return lines
  end

  after_each(function() assert.no_errors() end)

  describe("of standard input", function()
    before_each(function()
      stdin.stub(lines(100))
      ui.mount "app.lua"
      clock.advance(1)
    end)

    it("shows the newest line", function()
      assert.equal("100 lines", views.count.text)
      assert.equal(100, models.rates.last)
      assert.matches("line 100", ui.snapshot())
    end)

    it("stays where somebody reads, until they come back", function()
      ui.press "g"
      assert.matches("line 1 ", ui.snapshot())
      assert.equal("paused", tostring(views.state.text))
      ui.press "Space"
      assert.matches("line 100", ui.snapshot())
    end)

    it("filters", function()
      ui.press "f w a r n Enter"
      clock.advance(1)
      assert.equal(33, #views.lines.items)
      ui.press "f Ctrl-A Backspace Enter"
      clock.advance(1)
      assert.equal(100, #views.lines.items)
    end)

    it("finds the next line and the one before", function()
      ui.press "g / 7 Enter"
      assert.equal(7, models.screen.row)
      ui.press "n n"
      assert.equal(27, models.screen.row)
      ui.press "N N N"
      assert.equal(7, models.screen.row)
      assert.equal("no earlier match", views.message.text)
    end)

    it("says what is wrong with a pattern", function()
      ui.tap "isPattern"
      ui.press "/ ["
      assert.matches("malformed pattern", views.search.error)
      ui.press "% d ]"
      assert.is_nil(views.search.error)
    end)
  end)

  it("follows a file", function()
    file.stub { ["web.log"] = "one\ntwo\n" }
    ui.mount("app.lua", { size = "80x24", arg = { "web.log" } })
    clock.advance(1)
    spawn(file.append, "web.log", "three\n")
    clock.advance(1)
    assert.equal("3 lines", views.count.text)
    assert.matches("three", ui.snapshot())
  end)
end)
