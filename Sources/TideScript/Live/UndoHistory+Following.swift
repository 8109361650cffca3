import TideBindings
import TideGraph

// The objects that an undo manager follows: its roots, and everything that they hold.
extension UndoHistory {
  var followedObjects: Set<ObjectIdentifier> {
    var objects: Set<ObjectIdentifier> = []
    for (index, known) in followed {
      let header = graph.slot(at: index)
      guard header.blockGeneration == known.generation, let object = header.block else { continue }
      objects.insert(ObjectIdentifier(object))
    }
    return objects
  }

  /// Follows an object that was made in a context.
  func include(_ object: DataObject) {
    if followed.count >= mostFollowed {
      followed = followed.filter { graph.slot(at: $0).blockGeneration == $1.generation }
      mostFollowed = max(1024, 2 * followed.count)
    }
    graph.untracked { follow(.object(object)) }
  }

  /// Stops following an object whose context has been cleared.
  func exclude(_ object: DataObject) { graph.untracked { release(.object(object)) } }

  func follows(_ header: Slot) -> Bool {
    followed[header.index]?.generation == header.blockGeneration
  }

  func follow(_ value: Value) {
    var rest = [value]
    while let value = rest.popLast() {
      guard case .object(let object as DataObject) = value, Self.isFollowed(object) else {
        continue
      }
      let header = object.header
      if follows(header) {
        followed[header.index]?.count += 1
        continue
      }
      lastStamp += 1
      var known = Followed(generation: header.blockGeneration, stamp: lastStamp)
      if let list = object as? ValueList {
        if let before = detached.removeValue(forKey: header.index),
          before.generation == known.generation
        {
          known.stamp = before.stamp
        } else {
          list.add(self)
        }
      }
      followed[header.index] = known
      for slot in Self.slots(of: object) { table.watchWrites(of: slot) }
      rest += Self.values(in: object)
    }
  }

  /// Stops following a value that its holder has lost. This waits for the end of the action, since
  /// undoing the action restores both the value and the later changes in it.
  func release(_ value: Value) {
    if isRecording { leaving.append(value) } else { unfollow(value) }
  }

  func releaseLeaving() {
    let values = leaving
    leaving = []
    graph.untracked { for value in values { unfollow(value) } }
  }

  func unfollow(_ value: Value) {
    var rest = [value]
    while let value = rest.popLast() {
      guard case .object(let object as DataObject) = value, follows(object.header) else { continue }
      let index = object.header.index
      followed[index]?.count -= 1
      if followed[index]?.count != 0 { continue }
      let known = followed.removeValue(forKey: index)
      rest += Self.values(in: object)
      if object is ValueList {
        // A step may restore the list, so its edits are still tracked.
        detached[index] = known
      }
      unmark(object)
    }
  }

  func unmark(_ object: DataObject) {
    for slot in Self.slots(of: object) { table.unwatchWrites(of: slot) }
  }

  /// Whether changes of the object can be undone.
  static func isFollowed(_ object: DataObject) -> Bool {
    switch object {
    case is DictionaryObject: type(of: object) == DictionaryObject.self
    case let list as ValueList: !list.isReadOnly && !(list is StreamList)
    case is ScriptObject: true
    default: !Runtime.isScriptOwned(object) && !(object is any ListObject)
    }
  }

  /// The writable slots: of stored properties, neither computed nor read-only. A dict has one slot
  /// for all entries.
  static func slots(of object: DataObject) -> [Slot] {
    if let dictionary = object as? DictionaryObject { return [dictionary.versionSlot] }
    return object.shape.propertiesByIndex.indices.compactMap { index in
      let property = object.shape.propertiesByIndex[index]
      if property.isRetired || property.isReadOnly { return nil }
      if property.isKeptOutside { return object.slot(index) }
      if property.derive != nil { return nil }
      let slot = object.slot(index)
      return slot.isDerived ? nil : slot
    }
  }

  /// The values that an object, a list or a dict holds.
  static func values(in object: DataObject) -> [Value] {
    switch object {
    case let list as ValueList: list.values
    case let dictionary as DictionaryObject: dictionary.values
    default: slots(of: object).map { $0.load() }
    }
  }
}
