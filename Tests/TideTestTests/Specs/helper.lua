it("is not for the pattern", function() end)
