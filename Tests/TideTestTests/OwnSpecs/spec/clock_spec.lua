describe("the clock", function()
  it("moves what tells the time", function()
    local seconds, processor, moment = os.time(), os.clock(), now()
    clock.advance(3600)
    assert.near(seconds + 3600, os.time(), 60)
    assert.near(processor + 3600, os.clock(), 60)
    assert.equal(moment + 3600, now())
    assert.near(now(), os.time(), 60)
    assert.equal(os.date("!%Y", os.time()), os.date("!%Y"))
    assert.equal(0, os.time { year = 1970, month = 1, day = 1, hour = 0 }
      - os.time { year = 1970, month = 1, day = 1, hour = 0 })
  end)

  it("lets who turns until time has passed come to an end", function()
    local start = os.clock()
    repeat until os.clock() > start
  end)

  it("runs what is due in its order, also from within", function()
    local seen, start = {}, clock.now()
    local function note(name) seen[#seen + 1] = name .. "@" .. clock.now() - start end
    after(1, function() note "one" clock.advance(5) note "after" end)
    after(2, function() note "two" end)
    after(9, function() note "nine" end)
    clock.advance(3)
    assert.equal("one@1.0 two@2.0 after@6.0", table.concat(seen, " "))
    assert.equal(6, clock.now() - start)
  end)

  it("takes a number", function()
    for _, wrong in ipairs { -1, 0 / 0, 1 / 0, "3", {} } do
      assert.error_matches(function() clock.advance(wrong) end, "0 or more")
    end
    assert.error_matches(function() clock.advence(1) end, 'clock has no word "advence"')
  end)

  it("may go far, and a test may wait after that", function()
    clock.advance(86400 * 400)
    sleep(3)
    async()
    after(5, done)
  end)

  it("lets delays and slow transformers come in their order", function()
    local from = object { value = 0 }
    local late, slow = object { value = 0 }, object { value = 0 }
    bind("value -> value", from, late, { delay = 0.5 })
    bind("value -> value", from, slow, { transform = function(v) sleep(10 / v) return v end })
    from.value = 2
    from.value = 5
    clock.advance(0.4)
    assert.equal(0, late.value)
    clock.advance(0.1)
    assert.equal(5, late.value)
    clock.advance(1.5)
    assert.equal(5, slow.value)
    clock.advance(10)
    assert.equal(5, slow.value)
    assert.no_errors()
  end)

  it("makes dates older", function()
    local letter, label = object { sent = now() }, view.label {}
    bind("sent -> text | relativeDate", letter, label)
    assert.equal("now", label.text)
    clock.advance(59)
    assert.equal("59 seconds ago", label.text)
    clock.advance(1)
    assert.equal("1 minute ago", label.text)
    clock.advance(2 * 3600)
    assert.equal("2 hours ago", label.text)
    letter.sent = now()
    assert.equal("now", label.text)
  end)
end)
