return "late"
