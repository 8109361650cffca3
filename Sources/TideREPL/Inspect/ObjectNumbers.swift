import TideBindings

/// Maps live objects to numbers that identify them in messages.
struct ObjectNumbers {
  private var objects: [Int: Entry] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last = 0

  private struct Entry {
    weak var object: DataObject?
    let identity: ObjectIdentifier
  }

  /// The number of entries at which entries of released objects are removed.
  private var limit = 1000

  subscript(number: Int) -> DataObject? { objects[number]?.object }

  mutating func number(of object: DataObject) -> Int {
    let identity = ObjectIdentifier(object)
    if let known = numbers[identity], objects[known]?.object === object { return known }
    if objects.count >= limit { forgetGone() }
    last += 1
    objects[last] = Entry(object: object, identity: identity)
    numbers[identity] = last
    return last
  }

  private mutating func forgetGone() {
    for (number, entry) in objects where entry.object == nil {
      objects[number] = nil
      if numbers[entry.identity] == number { numbers[entry.identity] = nil }
    }
    limit = max(1000, objects.count * 2)
  }
}
