/// The system's messages for its error numbers.
package enum SystemText {
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
