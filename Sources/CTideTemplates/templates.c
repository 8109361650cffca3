#include "CTideTemplates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The templates are the examples, whose specs are among the tests. Each text is a separate array,
// because `#embed` needs a line of its own.

static const char board_app_lua[] = {
#embed "../../examples/board/app.lua"
};
static const char board_board_lua[] = {
#embed "../../examples/board/board.lua"
};
static const char board_conflicts_lua[] = {
#embed "../../examples/board/conflicts.lua"
};
static const char board_people_lua[] = {
#embed "../../examples/board/people.lua"
};
static const char board_spec_board_spec_lua[] = {
#embed "../../examples/board/spec/board_spec.lua"
};
static const char desk_app_lua[] = {
#embed "../../examples/desk/app.lua"
};
static const char desk_csv_lua[] = {
#embed "../../examples/desk/csv.lua"
};
static const char desk_days_lua[] = {
#embed "../../examples/desk/days.lua"
};
static const char desk_desk_lua[] = {
#embed "../../examples/desk/desk.lua"
};
static const char desk_importing_lua[] = {
#embed "../../examples/desk/importing.lua"
};
static const char desk_me_lua[] = {
#embed "../../examples/desk/me.lua"
};
static const char desk_sample_lua[] = {
#embed "../../examples/desk/sample.lua"
};
static const char desk_screens_devices_lua[] = {
#embed "../../examples/desk/screens/devices.lua"
};
static const char desk_screens_history_lua[] = {
#embed "../../examples/desk/screens/history.lua"
};
static const char desk_screens_import_lua[] = {
#embed "../../examples/desk/screens/import.lua"
};
static const char desk_screens_people_lua[] = {
#embed "../../examples/desk/screens/people.lua"
};
static const char desk_spec_desk_spec_lua[] = {
#embed "../../examples/desk/spec/desk_spec.lua"
};
static const char ledger_app_lua[] = {
#embed "../../examples/ledger/app.lua"
};
static const char ledger_book_lua[] = {
#embed "../../examples/ledger/book.lua"
};
static const char ledger_calendar_lua[] = {
#embed "../../examples/ledger/calendar.lua"
};
static const char ledger_csv_lua[] = {
#embed "../../examples/ledger/csv.lua"
};
static const char ledger_report_lua[] = {
#embed "../../examples/ledger/report.lua"
};
static const char ledger_sample_lua[] = {
#embed "../../examples/ledger/sample.lua"
};
static const char ledger_words_lua[] = {
#embed "../../examples/ledger/words.lua"
};
static const char ledger_spec_ledger_spec_lua[] = {
#embed "../../examples/ledger/spec/ledger_spec.lua"
};
static const char logs_app_lua[] = {
#embed "../../examples/logs/app.lua"
};
static const char logs_reading_lua[] = {
#embed "../../examples/logs/reading.lua"
};
static const char logs_sample_lua[] = {
#embed "../../examples/logs/sample.lua"
};
static const char logs_spec_logs_spec_lua[] = {
#embed "../../examples/logs/spec/logs_spec.lua"
};
static const char services_app_lua[] = {
#embed "../../examples/services/app.lua"
};
static const char services_machine_lua[] = {
#embed "../../examples/services/machine.lua"
};
static const char services_pretended_lua[] = {
#embed "../../examples/services/pretended.lua"
};
static const char services_service_lua[] = {
#embed "../../examples/services/service.lua"
};
static const char services_worker_lua[] = {
#embed "../../examples/services/worker.lua"
};
static const char services_spec_services_spec_lua[] = {
#embed "../../examples/services/spec/services_spec.lua"
};
static const char tutorial_step1_app_lua[] = {
#embed "../../examples/tutorial/step1/app.lua"
};
static const char tutorial_step2_app_lua[] = {
#embed "../../examples/tutorial/step2/app.lua"
};
static const char tutorial_step3_app_lua[] = {
#embed "../../examples/tutorial/step3/app.lua"
};
static const char tutorial_step3_services_json[] = {
#embed "../../examples/tutorial/step3/services.json"
};
static const char tutorial_step4_app_lua[] = {
#embed "../../examples/tutorial/step4/app.lua"
};
static const char tutorial_step4_mail_log[] = {
#embed "../../examples/tutorial/step4/mail.log"
};
static const char tutorial_step4_search_log[] = {
#embed "../../examples/tutorial/step4/search.log"
};
static const char tutorial_step4_services_json[] = {
#embed "../../examples/tutorial/step4/services.json"
};
static const char tutorial_step4_web_log[] = {
#embed "../../examples/tutorial/step4/web.log"
};
static const char tutorial_step5_app_lua[] = {
#embed "../../examples/tutorial/step5/app.lua"
};
static const char tutorial_step5_mail_log[] = {
#embed "../../examples/tutorial/step5/mail.log"
};
static const char tutorial_step5_search_log[] = {
#embed "../../examples/tutorial/step5/search.log"
};
static const char tutorial_step5_services_json[] = {
#embed "../../examples/tutorial/step5/services.json"
};
static const char tutorial_step5_web_log[] = {
#embed "../../examples/tutorial/step5/web.log"
};
static const char tutorial_step6_app_lua[] = {
#embed "../../examples/tutorial/step6/app.lua"
};
static const char tutorial_step6_mail_log[] = {
#embed "../../examples/tutorial/step6/mail.log"
};
static const char tutorial_step6_search_log[] = {
#embed "../../examples/tutorial/step6/search.log"
};
static const char tutorial_step6_services_json[] = {
#embed "../../examples/tutorial/step6/services.json"
};
static const char tutorial_step6_spec_dashboard_spec_lua[] = {
#embed "../../examples/tutorial/step6/spec/dashboard_spec.lua"
};
static const char tutorial_step6_web_log[] = {
#embed "../../examples/tutorial/step6/web.log"
};

#define FILE_OF(template, name, text) {template, name, text, sizeof text}

static const TideTemplateFile files[] = {
    FILE_OF("board", "app.lua", board_app_lua),
    FILE_OF("board", "board.lua", board_board_lua),
    FILE_OF("board", "conflicts.lua", board_conflicts_lua),
    FILE_OF("board", "people.lua", board_people_lua),
    FILE_OF("board", "spec/board_spec.lua", board_spec_board_spec_lua),
    FILE_OF("desk", "app.lua", desk_app_lua),
    FILE_OF("desk", "csv.lua", desk_csv_lua),
    FILE_OF("desk", "days.lua", desk_days_lua),
    FILE_OF("desk", "desk.lua", desk_desk_lua),
    FILE_OF("desk", "importing.lua", desk_importing_lua),
    FILE_OF("desk", "me.lua", desk_me_lua),
    FILE_OF("desk", "sample.lua", desk_sample_lua),
    FILE_OF("desk", "screens/devices.lua", desk_screens_devices_lua),
    FILE_OF("desk", "screens/history.lua", desk_screens_history_lua),
    FILE_OF("desk", "screens/import.lua", desk_screens_import_lua),
    FILE_OF("desk", "screens/people.lua", desk_screens_people_lua),
    FILE_OF("desk", "spec/desk_spec.lua", desk_spec_desk_spec_lua),
    FILE_OF("ledger", "app.lua", ledger_app_lua),
    FILE_OF("ledger", "book.lua", ledger_book_lua),
    FILE_OF("ledger", "calendar.lua", ledger_calendar_lua),
    FILE_OF("ledger", "csv.lua", ledger_csv_lua),
    FILE_OF("ledger", "report.lua", ledger_report_lua),
    FILE_OF("ledger", "sample.lua", ledger_sample_lua),
    FILE_OF("ledger", "words.lua", ledger_words_lua),
    FILE_OF("ledger", "spec/ledger_spec.lua", ledger_spec_ledger_spec_lua),
    FILE_OF("logs", "app.lua", logs_app_lua),
    FILE_OF("logs", "reading.lua", logs_reading_lua),
    FILE_OF("logs", "sample.lua", logs_sample_lua),
    FILE_OF("logs", "spec/logs_spec.lua", logs_spec_logs_spec_lua),
    FILE_OF("services", "app.lua", services_app_lua),
    FILE_OF("services", "machine.lua", services_machine_lua),
    FILE_OF("services", "pretended.lua", services_pretended_lua),
    FILE_OF("services", "service.lua", services_service_lua),
    FILE_OF("services", "worker.lua", services_worker_lua),
    FILE_OF("services", "spec/services_spec.lua", services_spec_services_spec_lua),
    FILE_OF("tutorial", "step1/app.lua", tutorial_step1_app_lua),
    FILE_OF("tutorial", "step2/app.lua", tutorial_step2_app_lua),
    FILE_OF("tutorial", "step3/app.lua", tutorial_step3_app_lua),
    FILE_OF("tutorial", "step3/services.json", tutorial_step3_services_json),
    FILE_OF("tutorial", "step4/app.lua", tutorial_step4_app_lua),
    FILE_OF("tutorial", "step4/mail.log", tutorial_step4_mail_log),
    FILE_OF("tutorial", "step4/search.log", tutorial_step4_search_log),
    FILE_OF("tutorial", "step4/services.json", tutorial_step4_services_json),
    FILE_OF("tutorial", "step4/web.log", tutorial_step4_web_log),
    FILE_OF("tutorial", "step5/app.lua", tutorial_step5_app_lua),
    FILE_OF("tutorial", "step5/mail.log", tutorial_step5_mail_log),
    FILE_OF("tutorial", "step5/search.log", tutorial_step5_search_log),
    FILE_OF("tutorial", "step5/services.json", tutorial_step5_services_json),
    FILE_OF("tutorial", "step5/web.log", tutorial_step5_web_log),
    FILE_OF("tutorial", "step6/app.lua", tutorial_step6_app_lua),
    FILE_OF("tutorial", "step6/mail.log", tutorial_step6_mail_log),
    FILE_OF("tutorial", "step6/search.log", tutorial_step6_search_log),
    FILE_OF("tutorial", "step6/services.json", tutorial_step6_services_json),
    FILE_OF("tutorial", "step6/spec/dashboard_spec.lua", tutorial_step6_spec_dashboard_spec_lua),
    FILE_OF("tutorial", "step6/web.log", tutorial_step6_web_log),
};

size_t tide_template_file_count(void) { return sizeof files / sizeof *files; }

TideTemplateFile tide_template_file(size_t index) { return files[index]; }
