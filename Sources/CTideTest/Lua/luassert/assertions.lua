-- All built-in assertions. Each group is loaded by its first use as well; this module is for
-- those who want them all at hand.

require "luassert.assertions.equality"
require "luassert.assertions.kinds"
require "luassert.assertions.patterns"
require "luassert.assertions.errors"
require "luassert.assertions.counts"

return true
