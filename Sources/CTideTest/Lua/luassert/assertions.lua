-- Loads all built-in assertions at once. Otherwise the first use of an assertion loads its group.

require "luassert.assertions.equality"
require "luassert.assertions.kinds"
require "luassert.assertions.patterns"
require "luassert.assertions.errors"
require "luassert.assertions.counts"

return true
