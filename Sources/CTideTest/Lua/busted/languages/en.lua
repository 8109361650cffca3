-- The words of reports, for output handlers that ask `say` for them.

local say = require 'say'
local forms = {
  pending = { 'Pending', 'pending', 'pending' },
  failure = { 'Failure', 'failure', 'failures' },
  error = { 'Error', 'error', 'errors' },
  success = { 'Success', 'success', 'successes' },
}

say:set_namespace 'en'
for name, words in pairs(forms) do
  local key = 'output.' .. name
  say:set(key, words[1])
  say:set(key .. '_single', words[2])
  say:set(key .. '_plural', words[3])
  say:set(key .. '_zero', words[3])
end
say:set('output.seconds', 'seconds')
say:set('output.no_test_files_match', 'No test files found matching Lua pattern: %s')
say:set('output.file_not_found', 'Cannot find file or directory: %s')

return {
  failure_messages = { 'Some tests failed' },
  success_messages = { 'All tests passed' },
}
