print "never"
it("is never run", function() end)
error "the file broke"
