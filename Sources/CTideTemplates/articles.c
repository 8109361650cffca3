#include "CTideTemplates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The articles of the documentation that are for authors of apps. Each text is a separate array,
// because `#embed` needs a line of its own.

static const char Asking[] = {
#embed "../Tidelock/Tidelock.docc/Asking.md"
};
static const char Assertions[] = {
#embed "../TideTest/TideTest.docc/Assertions.md"
};
static const char AtThePrompt[] = {
#embed "../TideREPL/TideREPL.docc/AtThePrompt.md"
};
static const char Attaching[] = {
#embed "../TideREPL/TideREPL.docc/Attaching.md"
};
static const char Budgets[] = {
#embed "../Tidelock/Tidelock.docc/Budgets.md"
};
static const char Causes[] = {
#embed "../Tidelock/Tidelock.docc/Causes.md"
};
static const char Checking[] = {
#embed "../Tidelock/Tidelock.docc/Checking.md"
};
static const char ComingFrom[] = {
#embed "../Tidelock/Tidelock.docc/ComingFrom.md"
};
static const char CommandsMenusAndKeys[] = {
#embed "../Tidelock/Tidelock.docc/CommandsMenusAndKeys.md"
};
static const char Confinement[] = {
#embed "../Tidelock/Tidelock.docc/Confinement.md"
};
static const char Contexts[] = {
#embed "../Tidelock/Tidelock.docc/Contexts.md"
};
static const char Controllers[] = {
#embed "../TideBindings/TideBindings.docc/Controllers.md"
};
static const char Cookbook[] = {
#embed "../Tidelock/Tidelock.docc/Cookbook.md"
};
static const char Coverage[] = {
#embed "../TideTest/TideTest.docc/Coverage.md"
};
static const char DrivingAnApp[] = {
#embed "../TideREPL/TideREPL.docc/DrivingAnApp.md"
};
static const char DrivingViews[] = {
#embed "../TideTest/TideTest.docc/DrivingViews.md"
};
static const char Ending[] = {
#embed "../Tidelock/Tidelock.docc/Ending.md"
};
static const char Errors[] = {
#embed "../Tidelock/Tidelock.docc/Errors.md"
};
static const char Expressions[] = {
#embed "../Tidelock/Tidelock.docc/Expressions.md"
};
static const char FindingOutWhy[] = {
#embed "../Tidelock/Tidelock.docc/FindingOutWhy.md"
};
static const char FormsAndValidation[] = {
#embed "../Tidelock/Tidelock.docc/FormsAndValidation.md"
};
static const char HotReload[] = {
#embed "../TideReload/TideReload.docc/HotReload.md"
};
static const char InABrowser[] = {
#embed "../Tidelock/Tidelock.docc/InABrowser.md"
};
static const char Inspecting[] = {
#embed "../Tidelock/Tidelock.docc/Inspecting.md"
};
static const char KeepingModels[] = {
#embed "../Tidelock/Tidelock.docc/KeepingModels.md"
};
static const char Laws[] = {
#embed "../TideTest/TideTest.docc/Laws.md"
};
static const char Limits[] = {
#embed "../Tidelock/Tidelock.docc/Limits.md"
};
static const char Lists[] = {
#embed "../Tidelock/Tidelock.docc/Lists.md"
};
static const char LiveData[] = {
#embed "../Tidelock/Tidelock.docc/LiveData.md"
};
static const char ObjectsAndModels[] = {
#embed "../Tidelock/Tidelock.docc/ObjectsAndModels.md"
};
static const char Observing[] = {
#embed "../Tidelock/Tidelock.docc/Observing.md"
};
static const char Paths[] = {
#embed "../Tidelock/Tidelock.docc/Paths.md"
};
static const char Profiling[] = {
#embed "../Tidelock/Tidelock.docc/Profiling.md"
};
static const char Reference[] = {
#embed "../Tidelock/Tidelock.docc/Reference.md"
};
static const char Rows[] = {
#embed "../Tidelock/Tidelock.docc/Rows.md"
};
static const char RunningForReal[] = {
#embed "../Tidelock/Tidelock.docc/RunningForReal.md"
};
static const char ServingOthers[] = {
#embed "../Tidelock/Tidelock.docc/ServingOthers.md"
};
static const char SharingModels[] = {
#embed "../Tidelock/Tidelock.docc/SharingModels.md"
};
static const char Snapshots[] = {
#embed "../TideTest/TideTest.docc/Snapshots.md"
};
static const char StylesAndThemes[] = {
#embed "../Tidelock/Tidelock.docc/StylesAndThemes.md"
};
static const char TeamTool[] = {
#embed "../Tidelock/Tidelock.docc/TeamTool.md"
};
static const char TestingBindings[] = {
#embed "../TideTest/TideTest.docc/TestingBindings.md"
};
static const char TestingScripts[] = {
#embed "../TideTest/TideTest.docc/TestingScripts.md"
};
static const char Transformers[] = {
#embed "../Tidelock/Tidelock.docc/Transformers.md"
};
static const char Triggers[] = {
#embed "../Tidelock/Tidelock.docc/Triggers.md"
};
static const char Tutorial[] = {
#embed "../Tidelock/Tidelock.docc/Tutorial.md"
};
static const char Undo[] = {
#embed "../Tidelock/Tidelock.docc/Undo.md"
};
static const char Views[] = {
#embed "../Tidelock/Tidelock.docc/Views.md"
};
static const char Waiting[] = {
#embed "../Tidelock/Tidelock.docc/Waiting.md"
};
static const char WithAnAssistant[] = {
#embed "../TideREPL/TideREPL.docc/WithAnAssistant.md"
};
static const char Words[] = {
#embed "../Tidelock/Tidelock.docc/Words.md"
};

#define ARTICLE(name) {#name, name, sizeof name}

static const TideArticle articles[] = {
    ARTICLE(Asking), ARTICLE(Assertions), ARTICLE(AtThePrompt), ARTICLE(Attaching),
    ARTICLE(Budgets), ARTICLE(Causes), ARTICLE(Checking), ARTICLE(ComingFrom),
    ARTICLE(CommandsMenusAndKeys), ARTICLE(Confinement), ARTICLE(Contexts), ARTICLE(Controllers),
    ARTICLE(Cookbook), ARTICLE(Coverage), ARTICLE(DrivingAnApp), ARTICLE(DrivingViews),
    ARTICLE(Ending), ARTICLE(Errors), ARTICLE(Expressions), ARTICLE(FindingOutWhy),
    ARTICLE(FormsAndValidation), ARTICLE(HotReload), ARTICLE(InABrowser), ARTICLE(Inspecting),
    ARTICLE(KeepingModels), ARTICLE(Laws), ARTICLE(Limits), ARTICLE(Lists), ARTICLE(LiveData),
    ARTICLE(ObjectsAndModels), ARTICLE(Observing), ARTICLE(Paths), ARTICLE(Profiling),
    ARTICLE(Reference), ARTICLE(Rows), ARTICLE(RunningForReal), ARTICLE(ServingOthers),
    ARTICLE(SharingModels), ARTICLE(Snapshots), ARTICLE(StylesAndThemes), ARTICLE(TeamTool),
    ARTICLE(TestingBindings), ARTICLE(TestingScripts), ARTICLE(Transformers), ARTICLE(Triggers),
    ARTICLE(Tutorial), ARTICLE(Undo), ARTICLE(Views), ARTICLE(Waiting), ARTICLE(WithAnAssistant),
    ARTICLE(Words),
};

size_t tide_article_count(void) { return sizeof articles / sizeof *articles; }

TideArticle tide_article(size_t index) { return articles[index]; }
