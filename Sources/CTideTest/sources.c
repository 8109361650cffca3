#include "CTideTest.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Each text is a separate array, because `#embed` needs a line of its own.

static const char busted[] = {
#embed "Lua/busted/init.lua"
};
static const char busted_compatibility[] = {
#embed "Lua/busted/compatibility.lua"
};
static const char busted_fixtures[] = {
#embed "Lua/busted/fixtures.lua"
};
static const char busted_languages_de[] = {
#embed "Lua/busted/languages/de.lua"
};
static const char busted_languages_en[] = {
#embed "Lua/busted/languages/en.lua"
};
static const char busted_languages_fr[] = {
#embed "Lua/busted/languages/fr.lua"
};
static const char busted_outputHandlers_base[] = {
#embed "Lua/busted/outputHandlers/base.lua"
};
static const char busted_runner[] = {
#embed "Lua/busted/runner.lua"
};
static const char busted_status[] = {
#embed "Lua/busted/status.lua"
};
static const char busted_utils[] = {
#embed "Lua/busted/utils.lua"
};
static const char luassert[] = {
#embed "Lua/luassert/init.lua"
};
static const char luassert_arguments[] = {
#embed "Lua/luassert/arguments.lua"
};
static const char luassert_array[] = {
#embed "Lua/luassert/array.lua"
};
static const char luassert_assert[] = {
#embed "Lua/luassert/assert.lua"
};
static const char luassert_assertions[] = {
#embed "Lua/luassert/assertions.lua"
};
static const char luassert_assertions_calls[] = {
#embed "Lua/luassert/assertions/calls.lua"
};
static const char luassert_assertions_counts[] = {
#embed "Lua/luassert/assertions/counts.lua"
};
static const char luassert_assertions_equality[] = {
#embed "Lua/luassert/assertions/equality.lua"
};
static const char luassert_assertions_errors[] = {
#embed "Lua/luassert/assertions/errors.lua"
};
static const char luassert_assertions_kinds[] = {
#embed "Lua/luassert/assertions/kinds.lua"
};
static const char luassert_assertions_patterns[] = {
#embed "Lua/luassert/assertions/patterns.lua"
};
static const char luassert_calls[] = {
#embed "Lua/luassert/calls.lua"
};
static const char luassert_chain[] = {
#embed "Lua/luassert/chain.lua"
};
static const char luassert_compare[] = {
#embed "Lua/luassert/compare.lua"
};
static const char luassert_compatibility[] = {
#embed "Lua/luassert/compatibility.lua"
};
static const char luassert_contrast[] = {
#embed "Lua/luassert/contrast.lua"
};
static const char luassert_copy[] = {
#embed "Lua/luassert/copy.lua"
};
static const char luassert_failure[] = {
#embed "Lua/luassert/failure.lua"
};
static const char luassert_formatters[] = {
#embed "Lua/luassert/formatters/init.lua"
};
static const char luassert_formatters_binarystring[] = {
#embed "Lua/luassert/formatters/binarystring.lua"
};
static const char luassert_formatters_table[] = {
#embed "Lua/luassert/formatters/table.lua"
};
static const char luassert_languages_de[] = {
#embed "Lua/luassert/languages/de.lua"
};
static const char luassert_languages_en[] = {
#embed "Lua/luassert/languages/en.lua"
};
static const char luassert_languages_fr[] = {
#embed "Lua/luassert/languages/fr.lua"
};
static const char luassert_match[] = {
#embed "Lua/luassert/match.lua"
};
static const char luassert_matchers[] = {
#embed "Lua/luassert/matchers/init.lua"
};
static const char luassert_matchers_composite[] = {
#embed "Lua/luassert/matchers/composite.lua"
};
static const char luassert_matchers_core[] = {
#embed "Lua/luassert/matchers/core.lua"
};
static const char luassert_misuse[] = {
#embed "Lua/luassert/misuse.lua"
};
static const char luassert_mock[] = {
#embed "Lua/luassert/mock.lua"
};
static const char luassert_modifiers[] = {
#embed "Lua/luassert/modifiers.lua"
};
static const char luassert_namespaces[] = {
#embed "Lua/luassert/namespaces.lua"
};
static const char luassert_spy[] = {
#embed "Lua/luassert/spy.lua"
};
static const char luassert_state[] = {
#embed "Lua/luassert/state.lua"
};
static const char luassert_stub[] = {
#embed "Lua/luassert/stub.lua"
};
static const char luassert_util[] = {
#embed "Lua/luassert/util.lua"
};
static const char pl_pretty[] = {
#embed "Lua/pl/pretty.lua"
};
static const char say[] = {
#embed "Lua/say.lua"
};
static const char term[] = {
#embed "Lua/term/init.lua"
};
static const char term_colors[] = {
#embed "Lua/term/colors.lua"
};
static const char term_cursor[] = {
#embed "Lua/term/cursor.lua"
};
static const char runner_bindings[] = {
#embed "Lua/runner/bindings.lua"
};
static const char runner_bridge[] = {
#embed "Lua/runner/bridge.lua"
};
static const char runner_word_registration[] = {
#embed "Lua/runner/word_registration.lua"
};
static const char runner_choices[] = {
#embed "Lua/runner/choices.lua"
};
static const char runner_clock[] = {
#embed "Lua/runner/clock.lua"
};
static const char runner_confined[] = {
#embed "Lua/runner/confined.lua"
};
static const char runner_counted[] = {
#embed "Lua/runner/counted.lua"
};
static const char runner_diff[] = {
#embed "Lua/runner/diff.lua"
};
static const char runner_events[] = {
#embed "Lua/runner/events.lua"
};
static const char runner_generators[] = {
#embed "Lua/runner/generators.lua"
};
static const char runner_insulation[] = {
#embed "Lua/runner/insulation.lua"
};
static const char runner_lawful[] = {
#embed "Lua/runner/lawful.lua"
};
static const char runner_laws[] = {
#embed "Lua/runner/laws.lua"
};
static const char runner_order[] = {
#embed "Lua/runner/order.lua"
};
static const char runner_output[] = {
#embed "Lua/runner/output.lua"
};
static const char runner_locations[] = {
#embed "Lua/runner/locations.lua"
};
static const char runner_pretty[] = {
#embed "Lua/runner/pretty.lua"
};
static const char runner_reasons[] = {
#embed "Lua/runner/reasons.lua"
};
static const char runner_report[] = {
#embed "Lua/runner/report.lua"
};
static const char runner_snapshots[] = {
#embed "Lua/runner/snapshots.lua"
};
static const char runner_ui[] = {
#embed "Lua/runner/ui.lua"
};
static const char runner_words[] = {
#embed "Lua/runner/words.lua"
};
static const char runner_world[] = {
#embed "Lua/runner/world.lua"
};

#define SOURCE(name, text) {name, text, sizeof text}

// The names for `require`. Those below `tidelock.test` are reserved for the runner's own files.
static const TideTestSource sources[] = {
    SOURCE("busted", busted),
    SOURCE("busted.compatibility", busted_compatibility),
    SOURCE("busted.fixtures", busted_fixtures),
    SOURCE("busted.languages.de", busted_languages_de),
    SOURCE("busted.languages.en", busted_languages_en),
    SOURCE("busted.languages.fr", busted_languages_fr),
    SOURCE("busted.outputHandlers.base", busted_outputHandlers_base),
    SOURCE("busted.runner", busted_runner),
    SOURCE("busted.status", busted_status),
    SOURCE("busted.utils", busted_utils),
    SOURCE("luassert", luassert),
    SOURCE("luassert.arguments", luassert_arguments),
    SOURCE("luassert.array", luassert_array),
    SOURCE("luassert.assert", luassert_assert),
    SOURCE("luassert.assertions", luassert_assertions),
    SOURCE("luassert.assertions.calls", luassert_assertions_calls),
    SOURCE("luassert.assertions.counts", luassert_assertions_counts),
    SOURCE("luassert.assertions.equality", luassert_assertions_equality),
    SOURCE("luassert.assertions.errors", luassert_assertions_errors),
    SOURCE("luassert.assertions.kinds", luassert_assertions_kinds),
    SOURCE("luassert.assertions.patterns", luassert_assertions_patterns),
    SOURCE("luassert.calls", luassert_calls),
    SOURCE("luassert.chain", luassert_chain),
    SOURCE("luassert.compare", luassert_compare),
    SOURCE("luassert.compatibility", luassert_compatibility),
    SOURCE("luassert.contrast", luassert_contrast),
    SOURCE("luassert.copy", luassert_copy),
    SOURCE("luassert.failure", luassert_failure),
    SOURCE("luassert.formatters", luassert_formatters),
    SOURCE("luassert.formatters.binarystring", luassert_formatters_binarystring),
    SOURCE("luassert.formatters.table", luassert_formatters_table),
    SOURCE("luassert.languages.de", luassert_languages_de),
    SOURCE("luassert.languages.en", luassert_languages_en),
    SOURCE("luassert.languages.fr", luassert_languages_fr),
    SOURCE("luassert.match", luassert_match),
    SOURCE("luassert.matchers", luassert_matchers),
    SOURCE("luassert.matchers.composite", luassert_matchers_composite),
    SOURCE("luassert.matchers.core", luassert_matchers_core),
    SOURCE("luassert.misuse", luassert_misuse),
    SOURCE("luassert.mock", luassert_mock),
    SOURCE("luassert.modifiers", luassert_modifiers),
    SOURCE("luassert.namespaces", luassert_namespaces),
    SOURCE("luassert.spy", luassert_spy),
    SOURCE("luassert.state", luassert_state),
    SOURCE("luassert.stub", luassert_stub),
    SOURCE("luassert.util", luassert_util),
    SOURCE("pl.pretty", pl_pretty),
    SOURCE("say", say),
    SOURCE("term", term),
    SOURCE("term.colors", term_colors),
    SOURCE("term.cursor", term_cursor),
    SOURCE("tidelock.test.bindings", runner_bindings),
    SOURCE("tidelock.test.bridge", runner_bridge),
    SOURCE("tidelock.test.word_registration", runner_word_registration),
    SOURCE("tidelock.test.choices", runner_choices),
    SOURCE("tidelock.test.clock", runner_clock),
    SOURCE("tidelock.test.confined", runner_confined),
    SOURCE("tidelock.test.counted", runner_counted),
    SOURCE("tidelock.test.diff", runner_diff),
    SOURCE("tidelock.test.events", runner_events),
    SOURCE("tidelock.test.generators", runner_generators),
    SOURCE("tidelock.test.insulation", runner_insulation),
    SOURCE("tidelock.test.lawful", runner_lawful),
    SOURCE("tidelock.test.laws", runner_laws),
    SOURCE("tidelock.test.order", runner_order),
    SOURCE("tidelock.test.output", runner_output),
    SOURCE("tidelock.test.locations", runner_locations),
    SOURCE("tidelock.test.pretty", runner_pretty),
    SOURCE("tidelock.test.reasons", runner_reasons),
    SOURCE("tidelock.test.report", runner_report),
    SOURCE("tidelock.test.snapshots", runner_snapshots),
    SOURCE("tidelock.test.ui", runner_ui),
    SOURCE("tidelock.test.words", runner_words),
    SOURCE("tidelock.test.world", runner_world),
};

size_t tide_test_source_count(void) { return sizeof sources / sizeof *sources; }

TideTestSource tide_test_source(size_t index) { return sources[index]; }
