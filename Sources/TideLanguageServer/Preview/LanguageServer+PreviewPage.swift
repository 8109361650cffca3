import TideSystem

extension LanguageServer {
  /// The address of the page that shows an app's preview; it can be used once.
  func previewPage(_ argument: JSONValue) throws -> JSONValue {
    guard let uri = argument["uri"].string ?? argument.string else {
      throw ResponseError(.invalidParams, "tidelock.preview takes a document's uri")
    }
    let page = try page ?? startPage()
    return ["url": .string(page.oneTimeAddress(of: uri))]
  }

  /// Starts the page before it is requested, and logs its address.
  func announcePreviews() {
    do {
      let page = try startPage()
      let app = documents.all.first?.uri ?? DocumentURI.of(path: documents.home + "/app.lua")
      log(.information, "preview: \(page.address(of: app))")
    } catch {
      log(.error, "preview: \(error)")
    }
  }

  private func startPage() throws -> PreviewPage {
    let made = try PreviewPage(wake: wake)
    try made.start()
    page = made
    return made
  }
}
