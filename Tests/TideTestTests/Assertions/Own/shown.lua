-- Values whose text would be wrong, or an error, elsewhere.

case [=[return assert:format({ math.maxinteger, n = 1 })[1]]=] :gives [['(number) 9223372036854775807']]
case [[assert.equal(9007199254740993, 9007199254740992)]] :fails [[
Expected objects to be equal.
Passed in:
(number) 9007199254740992
Expected:
(number) 9007199254740993]]
case [=[return assert:format({ match._, n = 1 })[1]]=] :gives [['(matcher) _ *anything*']]
case [[local s = spy.new() s(1) assert.spy(s).was.called_with(5, match._)]] :fails [[
Function was never called with matching arguments.
Called with (last call if any):
(values list) ((number) 1)
Expected:
(values list) ((number) 5, (matcher) _ *anything*)]]
case [[
  local t = setmetatable({ 1 }, { __len = function() error("length") end })
  assert.same(t, { 2 })
]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = 2 }
Expected:
(table: 0x…) {
 *[1] = 1 }]]
case [[assert:set_parameter("TableErrorHighlightColor", "mauve") assert.same({ 1 }, { 2 })]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = 2 }
Expected:
(table: 0x…) {
 *[1] = 1 }]]
case [[assert:set_parameter("TableFormatLevel", nil) assert.same({ { 1 } }, { { 2 } })]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = {
   *[1] = 2 } }
Expected:
(table: 0x…) {
 *[1] = {
   *[1] = 1 } }]]
