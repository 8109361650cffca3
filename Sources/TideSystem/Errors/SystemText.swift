#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's messages for its error numbers.
package enum SystemText {
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
