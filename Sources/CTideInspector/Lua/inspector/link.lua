-- The way to the app that is looked into: questions go out, and answers come back later.
--
--   link.ask({ ask = "children", node = "models" }, function(items) … end)
--   link.onEvent.changed = function() … end

local link = { onEvent = {} }
local waiting = {}

-- What the app says of itself, and what is wrong with the last question.
local state = model "link" { name = "", problem = "", isAlive = true }

-- Asks the app; `use` gets the items of the answer, `refused`, if there is one, what is wrong.
function link.ask(question, use, refused)
  question.kind = "inspect"
  local number = inspectorAsk(json.encode(question))
  waiting[number] = { use = use, refused = refused }
end

local function answer(message)
  local question = waiting[message.id]
  if not question then return end
  waiting[message.id] = nil
  if message.error then
    if question.refused then return question.refused(message.error) end
    state.problem = message.error
    return
  end
  local items = {}
  for index, text in ipairs(message.items or {}) do items[index] = json.decode(text) end
  if question.use then question.use(items) end
end

local function take(message)
  if message.kind == "inspection" then return answer(message) end
  if message.kind == "hello" then
    state.name, state.problem, state.isAlive = message.name or "", "", true
    -- Answers of another app do not count.
    waiting = {}
  end
  if message.kind == "ended" then
    state.isAlive = false
    state.problem = message.text or "The app has ended."
  end
  local handler = link.onEvent[message.kind]
  if handler then handler(message) end
end

observe(models.inspectorWire, "arrived", function()
  for _, text in ipairs(inspectorMessages()) do take(json.decode(text)) end
end, { initial = true })

return link
