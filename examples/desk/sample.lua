-- What a new desk begins with, so that there is something to see. Empty it for your own.
return {
  people = {
    { id = "ann", name = "Ann", mail = "ann@example.org", role = "keeper" },
    { id = "bo", name = "Bo", mail = "bo@example.org" },
    { id = "cleo", name = "Cleo", mail = "cleo@example.org" },
  },
  devices = {
    { id = "1", tag = "A-001", name = "Laptop 14\"", kind = "Laptop", place = "Shelf 1" },
    { id = "2", tag = "A-002", name = "Laptop 16\"", kind = "Laptop", place = "Shelf 1" },
    { id = "3", tag = "B-001", name = "Projector", kind = "Meeting", place = "Shelf 2" },
    { id = "4", tag = "B-002", name = "Room camera", kind = "Meeting", place = "Shelf 2" },
    { id = "5", tag = "C-001", name = "Torque wrench", kind = "Tool", place = "Drawer 4" },
    { id = "6", tag = "C-002", name = "Thermal camera", kind = "Tool", place = "Safe" },
  },
}
