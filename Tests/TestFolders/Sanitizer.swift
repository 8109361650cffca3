import Glibc

/// Whether a sanitizer runs beside the tests, which takes time and memory of its own.
package let hasSanitizer = getenv("TIDELOCK_SANITIZER") != nil
