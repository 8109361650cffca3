import NIOSSL
import TideBindings
import TideScript
import TideSystem

/// A server's certificate and its private key, for TLS.
///
/// Its files are read once, before an app confines itself.
struct ServerCertificate: Sendable {
  let context: NIOSSLContext
  /// The host names for which the certificate is valid.
  let names: [String]

  /// - Throws: `serving` if a file cannot be read, has other content or is not valid now, or if
  ///   certificate and key do not match.
  init(_ file: String, key keyFile: String) throws(TideError) {
    let chain = try Self.read("certificate", file) { try NIOSSLCertificate.fromPEMBytes($0) }
    let key = try Self.key(keyFile)
    guard let first = chain.first else { throw Self.nothing("certificate", file) }
    let now = time(nil)
    if now > first.notValidAfter {
      throw TideError(
        .serving,
        "the certificate in \(file) has expired \(Self.age(now - first.notValidAfter)); "
          + "browsers would refuse it: renew it")
    }
    if now < first.notValidBefore {
      throw TideError(
        .serving, "the certificate in \(file) is not valid yet; is this machine's clock right?")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do { context = try NIOSSLContext(configuration: configuration) } catch {
      throw TideError(
        .serving,
        "the key in \(keyFile) does not belong to the certificate in \(file): name the one that it "
          + "was made for")
    }
    names = Self.names(of: first)
  }

  private static func key(_ file: String) throws(TideError) -> NIOSSLPrivateKey {
    // A passphrase is requested only for an encrypted key, and nobody is there to type it.
    var needsPassphrase = false
    let readKey = { (bytes: [UInt8]) in
      try NIOSSLPrivateKey(bytes: bytes, format: .pem) { (give: (([UInt8]) -> Void)) in
        needsPassphrase = true
        give([])
      }
    }
    do throws(TideError) { return try read("key", file, readKey) } catch {
      guard needsPassphrase else { throw error }
      throw TideError(
        .serving,
        "the key in \(file) has a passphrase, for which nobody is asked: write it without one by "
          + "openssl pkey -in \(file) -out FILE, for the server's user alone to read")
    }
  }

  private static func read<Result>(
    _ what: String, _ file: String, _ parse: ([UInt8]) throws -> Result
  ) throws(TideError) -> Result {
    let bytes: [UInt8]
    do { bytes = try ScriptFile.bytes(of: file, limit: 1 << 20, "a text in PEM") } catch {
      let reason = (error as? TideError)?.message ?? "\(error)"
      throw TideError(.serving, "the \(what) cannot be read: \(reason)")
    }
    do { return try parse(bytes) } catch { throw nothing(what, file) }
  }

  private static func nothing(_ what: String, _ file: String) -> TideError {
    TideError(.serving, "there is no \(what) in \(file): it has to be a text in PEM")
  }

  private static func age(_ seconds: Int) -> String {
    let days = seconds / 86400
    return days == 0 ? "today" : days == 1 ? "yesterday" : "\(days) days ago"
  }

  /// A valid host name; nil if it contains characters that browsers would not send, which must not
  /// be printed as part of an address.
  static func hostName(_ bytes: some Collection<UInt8>) -> String? {
    let name = String(decoding: bytes, as: UTF8.self).lowercased()
    let rest = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
    let isHost =
      !rest.isEmpty
      && rest.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-_".utf8.contains(byte)
      }
    return isHost ? name : nil
  }

  private static func names(of certificate: NIOSSLCertificate) -> [String] {
    certificate._subjectAlternativeNames().compactMap { name in
      name.contents.withUnsafeBufferPointer { bytes in
        switch name.nameType {
        case .dnsName: hostName(bytes)
        case .ipAddress: ListeningSocket.address(bytes)
        default: nil
        }
      }
    }
  }
}
