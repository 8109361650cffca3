-- Books and loans in a database.

local catalogue = {}

local db = store.open(arg[1] or "library.db")

db:migrate {
  [[CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT, year INTEGER,
    shelf TEXT DEFAULT 'A')]],
  "CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book(id), reader TEXT, due REAL)",
  "ALTER TABLE book ADD COLUMN pages INTEGER",
}

catalogue.db = db
catalogue.books = db:list("SELECT * FROM book ORDER BY title", {}, { key = "id" })
catalogue.loans = db:list(
  "SELECT loan.id, book.title AS name, reader, due FROM loan JOIN book ON book.id = loan.book")
catalogue.count = db:value("SELECT count(*) FROM book")
catalogue.newest = db:row("SELECT title, author, max(year) AS latest FROM book")

local Shelf = class "Shelf" { name = "", room = "Hall", size = 0, children = list {} }

catalogue.shelves = model "shelves" {
  top = list {
    Shelf { name = "Fiction", children = list { Shelf { name = "Crime" }, Shelf { name = "Sea" } } },
    Shelf { name = "Science", room = "Tower", size = 120 },
  },
}

function catalogue.add(title, author, year)
  local changes, key = db:run(
    "INSERT INTO book (title, author, year) VALUES (?, ?, ?)", { title, author, year })
  if changes == 0 then error("the book was not added") end
  return key
end

function catalogue.lend(book, reader, days)
  db:transaction(function()
    db:run("INSERT INTO loan (book, reader, due) VALUES (?, ?, ?)",
      { book, reader, now() + days * 86400 })
  end)
end

function catalogue.titles()
  local titles = {}
  for index, book in ipairs(catalogue.books) do
    titles[index] = ("%s by %s (%d)"):format(book.title, book.author, book.year)
  end
  return titles
end

catalogue.late = catalogue.loans:filter(function(loan) return loan.due < now() end)
catalogue.byAuthor = catalogue.books:group("author")
catalogue.long = catalogue.books:filter(function(book) return (book.pages or 0) > 500 end)
  :sorted("-pages")

return catalogue
