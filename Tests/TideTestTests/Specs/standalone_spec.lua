#!/usr/bin/env lua
require "busted.runner"()
it("runs by itself, too", function() end)
