-- English texts of reports. Texts that are already set stay.

local say = require "say"

local plurals = {
  success = { "successes", "success", "successes" },
  failure = { "failures", "failure", "failures" },
  error = { "errors", "error", "errors" },
  pending = { "pending", "pending", "pending" },
}

local texts = {
  ["output.success"] = "Success",
  ["output.failure"] = "Failure",
  ["output.error"] = "Error",
  ["output.pending"] = "Pending",
  ["output.seconds"] = "seconds",
  ["output.no_test_files_match"] = "No test files found matching Lua pattern: %s",
  ["output.file_not_found"] = "Cannot find file or directory: %s",
}

for word, forms in pairs(plurals) do
  for i, count in ipairs { "zero", "single", "plural" } do
    texts[("output.%s_%s"):format(word, count)] = forms[i]
  end
end

local known = say._registry.en
for key, text in pairs(texts) do
  if rawget(known, key) == nil then
    known[key] = text
  end
end

return {
  failure_messages = { "%d tests failed" },
  success_messages = { "All tests passed" },
}
