/// A path as a dictionary key. Two paths are equal if their bytes are, as for the system.
///
/// ```swift
/// var texts: [PathKey: String] = [:]
/// texts[path: "caf\u{e9}.lua"] = "one file"
/// texts[path: "cafe\u{301}.lua"] = "another one"
/// ```
///
/// Swift strings are equal if they are canonically equivalent; file names are not.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.elementsEqual(other.path.utf8)
  }

  package static func < (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Dictionary where Key == PathKey {
  package subscript(path path: String) -> Value? {
    get { self[PathKey(path)] }
    set { self[PathKey(path)] = newValue }
  }
}
