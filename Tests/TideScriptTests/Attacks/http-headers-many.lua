-- More headers than a request may have.
-- expect: error "are the most" or time or memory
local headers = {}
for i = 1, 5000 do headers["x-" .. i] = "y" end
http.get("http://a/", { headers = headers })
