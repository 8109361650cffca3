import ArgumentParser

/// `--memory 64M`: a number of bytes, of KiB (`K`), MiB (`M`) or GiB (`G`).
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let unit =
      switch argument.last {
      case "K", "k": 1 << 10
      case "M", "m": 1 << 20
      case "G", "g": 1 << 30
      default: 1
      }
    guard let number = Int(unit == 1 ? argument[...] : argument.dropLast()), number > 0 else {
      return nil
    }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    if isTooLarge { return nil }
    self.bytes = bytes
  }
}
