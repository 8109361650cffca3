-- A host's values are compared and shown by what the host says is in them. A file stands in
-- for one here.

local function hosted(body)
  return case([[
    local inside = { [io.stdout] = { 1, 2 }, [io.stderr] = { 1, 2 }, [io.stdin] = { name = "in" } }
    util.contents = function(value) return inside[value] end
  ]] .. body)
end

case [[assert.same({ 1, 2 }, io.stdout)]] :fails(not_same("(userdata) 'file (0x…)'", [[
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]))
hosted [[assert.same({ 1, 2 }, io.stdout)]] :gives [[]]
hosted [[assert.same(io.stdout, { 1, 2 })]] :gives [[]]
hosted [[assert.same(io.stdout, io.stderr)]] :gives [[]]
hosted [[assert.same({ a = { io.stdout } }, { a = { { 1, 2 } } })]] :gives [[]]
hosted [[assert.are_not.same(io.stdout, { 1, 3 })]] :gives [[]]
hosted [[assert.are_not.same(io.stdout, 5)]] :gives [[]]
hosted [[assert.are_not.same(io.stdout, "x")]] :gives [[]]
hosted [[assert.are_not.same(io.stdout, nil)]] :gives [[]]
hosted [[assert.are_not.equal(io.stdout, io.stderr)]] :gives [[]]
hosted [[assert.same({ 1, 3 }, io.stdout)]] :fails(not_same([[
(file (0x…)) {
  [1] = 1
 *[2] = 2 }]], [[
(table: 0x…) {
  [1] = 1
 *[2] = 3 }]]))
hosted [[assert.same({ io.stdin }, { { name = "out" } })]] :fails(not_same([[
(table: 0x…) {
 *[1] = {
   *[name] = 'out' } }]], [[
(table: 0x…) {
 *[1] = {
   *[name] = 'in' } }]]))
hosted [[
  inside[io.stdout], inside[io.stderr] = { next = io.stderr }, { next = io.stdout }
  assert.same(io.stdout, io.stderr)
]] :gives [[]]
hosted [[inside[io.stdout] = { me = io.stdout } return (assert:format { io.stdout, n = 1 })[1] ]] :gives [[
'(file (0x…)) {
  [me] = {
    [me] = {
      [me] = { ... more } } } }']]
hosted [[assert.is.unique(io.stdout)]] :gives [[]]
hosted [[assert.array(io.stdout).has.no.holes()]] :gives [[]]
hosted [[local s = spy.new() s(io.stdout) assert.spy(s).was.called_with({ 1, 2 })]] :gives [[]]
hosted [[assert.spy(spy.new()).was_not.called_with(io.stdout)]] :gives [[]]
hosted [[assert.is_true(match.same({ 1, 2 })(io.stdout))]] :gives [[]]
hosted [[util.contents = function() error("no contents today", 0) end assert.same(io.stdout, {})]]
  :fails [[no contents today]]
hosted [[util.contents = function() return 5 end assert.are_not.same(io.stdout, {})]] :gives [[]]
