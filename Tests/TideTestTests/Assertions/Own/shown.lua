-- Values whose text would be wrong, or an error, elsewhere.

case [=[return assert:format({ math.maxinteger, n = 1 })[1]]=] :gives [['(number) 9223372036854775807']]
case [[assert.equal(9007199254740993, 9007199254740992)]] :fails(not_equal("(number) 9007199254740992", "(number) 9007199254740993"))
case [=[return assert:format({ match._, n = 1 })[1]]=] :gives [['(matcher) _ *anything*']]
case [[local s = spy.new() s(1) assert.spy(s).was.called_with(5, match._)]] :fails(not_called_with("(values list) ((number) 1)", "(values list) ((number) 5, (matcher) _ *anything*)"))
case [[
  local t = setmetatable({ 1 }, { __len = function() error("length") end })
  assert.same(t, { 2 })
]] :fails(not_same([[
(table: 0x…) {
 *[1] = 2 }]], [[
(table: 0x…) {
 *[1] = 1 }]]))
case [[assert:set_parameter("TableErrorHighlightColor", "mauve") assert.same({ 1 }, { 2 })]] :fails(not_same([[
(table: 0x…) {
 *[1] = 2 }]], [[
(table: 0x…) {
 *[1] = 1 }]]))
case [[assert:set_parameter("TableFormatLevel", nil) assert.same({ { 1 } }, { { 2 } })]] :fails(not_same([[
(table: 0x…) {
 *[1] = {
   *[1] = 2 } }]], [[
(table: 0x…) {
 *[1] = {
   *[1] = 1 } }]]))

-- A knot of tables is compared in time that grows with its size, and no faster.
case [[
  local function knot(last)
    local tables = {}
    for i = 1, 40 do
      tables[i] = { n = i }
    end
    for i = 1, 40 do
      for j = 1, 40 do
        tables[i][j] = tables[j]
      end
    end
    tables[40].n = last
    return tables[1]
  end
  return (util.deepcompare(knot(40), knot(40))), (util.deepcompare(knot(40), knot(41)))
]] :gives [[true, false]]
case [[
  local function ladder(n)
    local shared = { 1 }
    for _ = 1, n do
      shared = { shared, shared }
    end
    return shared
  end
  return (util.deepcompare(ladder(60), ladder(60)))
]] :gives [[true]]

-- All levels of a table that is inside itself are not shown for ever.
case [[
  local t = { 1 }
  t.me = t
  assert:set_parameter("TableFormatLevel", -1)
  assert.same(t, { 1 })
]] :fails(not_same([[
(table: 0x…) {
  [1] = 1 }]], [[
(table: 0x…) {
  [1] = 1
 *[me] = { ... recursive } }]]))
