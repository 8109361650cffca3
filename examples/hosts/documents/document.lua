-- What a document is called, and how long it is.
local document = models.document

effect(function()
  local text, words = document.text, 0
  while text == "loop" do end
  for _ in text:gmatch("%a+") do words = words + 1 end
  document.title, document.words = text:match("^# (.-)\n") or text:match("^# (.*)") or "", words
end)
