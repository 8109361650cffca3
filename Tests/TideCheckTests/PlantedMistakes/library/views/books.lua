-- The table of books and what is told of one.

local catalogue = require "catalogue"
local dates = require "dates"

local books = {}

books.controller = controller.list { name = "books", content = catalogue.books,
  sort = "title", selectsInsertedObjects = true,
  filter = function(book) return book.title ~= "" end }

local function columns()
  return {
    { title = "Title", path = "title", grow = 3 },
    { title = "Author", path = "author | default('unknown')", key = "writer", sort = "author",
      grow = 2 },
    { title = "Year", path = "year", width = 6, align = "end" },
    { title = "Pages", path = "pages | pages", width = 8, sort = "pages" },
  }
end

books.table = view.table { id = "books", grow = 1, columns = columns,
  bindTo = { items = "books.arrangedObjects", selectedObject = "<> books.selectedObject" },
  on = { doubleClick = function() views.lend:focus() end,
    delete = function(_, event) catalogue.db:run("DELETE FROM book WHERE id = ?", { event.value.id }) end },
}

local function loanCell()
  return view.cell { view.row { spacing = 1,
    view.label { grow = 1, bindTo = { text = "dataObject.name" } },
    view.label { bindTo = { text = "dataObject.reader | capitalized" } },
    view.label { width = 7, bindTo = { text = "dataObject.due | due" } },
  } }
end

books.loans = view.list { id = "loans", height = 8, items = catalogue.loans, cell = loanCell,
  rowStyle = function(loan) return dates.left(loan.due) < 0 and "overdue" or nil end }

books.detail = view.box { title = "Book", padding = 1,
  view.label { id = "bookTitle", bold = true, bindTo = { text = "books.selection.title" } },
  view.label { id = "year", bindTo = { text = {
    path = "books.selection.year", noSelection = "no book", null = "no year" } } },
  view.label { bindTo = { text = "catalogueInfo.newest.latest" } },
}

model "catalogueInfo" { newest = catalogue.newest, count = catalogue.count, late = catalogue.late }

return books
