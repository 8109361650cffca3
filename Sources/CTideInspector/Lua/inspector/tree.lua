-- The parts of the app as a tree, whose nodes are requested when they are opened.

local link = require "inspector.link"

local Node = class "Node" {
  node = "", kind = "", label = "", detail = "", more = false, file = "", line = 0,
  parts = list {}, isLoaded = false, isOpen = false,
}

local tree = { Node = Node }

local roots = list {}
tree.roots = roots

local function make(item)
  local node = Node {
    node = item.node or "", kind = item.kind or "", label = item.label or "",
    detail = item.detail or "", more = item.more == true, file = item.file or "",
    line = item.line or 0,
  }
  -- A placeholder, without which the row could not be opened.
  if node.more then node.parts:append(Node { kind = "wait", label = "…" }) end
  return node
end

local function renew(node, item)
  node.label, node.detail = item.label or "", item.detail or ""
  if item.more == true and not node.more then
    node.parts:append(Node { kind = "wait", label = "…" })
  elseif not item.more and node.more then
    node.parts:clear()
  end
  node.more = item.more == true
end

-- Makes a list match the items. Existing nodes are reused with their open subtrees.
local function fill(into, items)
  local known = {}
  for _, node in ipairs(into) do
    if node.node ~= "" then known[node.node .. node.kind] = node end
  end
  local nodes = {}
  for index, item in ipairs(items) do
    local key = (item.node or "") .. (item.kind or "")
    local node = known[key]
    known[key] = nil
    if node then renew(node, item) else node = make(item) end
    nodes[index] = node
  end
  into:set(nodes)
end

-- Requests the children of a node.
function tree.load(node, done)
  link.ask({ ask = "children", node = node.node }, function(items)
    fill(node.parts, items)
    node.isLoaded = true
    if done then done() end
  end, function()
    node.parts:clear()
    node.more = false
  end)
end

-- Requests all open nodes again.
function tree.refresh()
  link.ask({ ask = "children", node = "" }, function(items)
    fill(roots, items)
    local function go(nodes)
      for _, node in ipairs(nodes) do
        if node.isLoaded and node.isOpen then tree.load(node, function() go(node.parts) end) end
      end
    end
    go(roots)
  end)
end

-- Clears the tree.
function tree.reset() roots:clear() end

-- The index of a node's row.
function tree.indexOf(wanted)
  local index = 0
  local function go(nodes)
    for _, node in ipairs(nodes) do
      index = index + 1
      if node == wanted or node.isOpen and go(node.parts) then return true end
    end
  end
  return go(roots) and index
end

-- Opens the path to a node, given by the numbers of its nodes from the root. `open` receives each
-- node on the path, and `use` the last one.
function tree.reveal(path, open, use)
  local function go(nodes, depth)
    for _, node in ipairs(nodes) do
      if node.node == path[depth] then
        if depth == #path then return use(node) end
        return tree.load(node, function()
          open(node)
          go(node.parts, depth + 1)
        end)
      end
    end
  end
  go(roots, 1)
end

return tree
