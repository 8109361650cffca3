/// A zip archive without compression.
///
/// ```swift
/// var archive = StoredArchive()
/// archive.add("extension/package.json", Array("{}".utf8))
/// archive.bytes
/// ```
///
/// Entries have a fixed date, so equal files produce equal archives.
struct StoredArchive {
  private var contents: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    let offset = contents.count
    // The common part of both headers of a file.
    var facts: [UInt8] = []
    facts.append(number: UInt16(20))  // the version that is needed to unpack it
    facts.append(number: UInt16(0x800))  // the name is UTF-8
    facts.append(number: UInt16(0))  // stored
    facts.append(number: UInt16(0))  // midnight
    facts.append(number: UInt16(0x21))  // the first possible day, in 1980
    facts.append(number: bytes.crc32)
    facts.append(number: UInt32(bytes.count))
    facts.append(number: UInt32(bytes.count))
    facts.append(number: UInt16(name.utf8.count))
    facts.append(number: UInt16(0))  // no extra field

    contents.append(number: UInt32(0x0403_4b50))
    contents += facts
    contents += name.utf8
    contents += bytes

    directory.append(number: UInt32(0x0201_4b50))
    directory.append(number: UInt16(20))  // the version that made it
    directory += facts
    directory += [UInt8](repeating: 0, count: 10)  // no comment, one disk, no attributes
    directory.append(number: UInt32(offset))
    directory += name.utf8
    count += 1
  }

  /// The complete archive.
  var bytes: [UInt8] {
    var end: [UInt8] = []
    end.append(number: UInt32(0x0605_4b50))
    end.append(number: UInt32(0))  // one disk
    end.append(number: UInt16(count))
    end.append(number: UInt16(count))
    end.append(number: UInt32(directory.count))
    end.append(number: UInt32(contents.count))
    end.append(number: UInt16(0))  // no comment
    return contents + directory + end
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  fileprivate mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The CRC-32 checksum used in zip archives.
  var crc32: UInt32 {
    ~reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1
      }
    }
  }
}
