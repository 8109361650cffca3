-- All built-in matchers.

require "luassert.matchers.core"
require "luassert.matchers.composite"

return true
