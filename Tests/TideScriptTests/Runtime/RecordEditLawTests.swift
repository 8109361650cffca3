import EditedRecords
import Testing
import TideViews

/// Each character and each press is in the record that was on the screen under it when the editing
/// began, or in a notice: by keys, and by controls as those of a page.
@Suite struct RecordLawTests {
  private let search = RecordSearch("records") { runtime, scene, input in
    let renderer = TextRenderer(size: Size(width: 50, height: 34))
    // The second byte says how.
    return input.count > 1 && input[1] % 2 == 1
      ? try ControlsPerson(runtime, scene, renderer)
      : try KeyboardPerson(runtime, scene, renderer)
  }

  @Test func `every case that was found before holds`() {
    #expect(search.knownFault == nil)
  }

  @Test func `holds for random people and programs`() {
    #expect(search.firstFault(stepsInSuite: 32) == nil)
  }
}
