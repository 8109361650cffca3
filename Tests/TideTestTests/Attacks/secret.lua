return page.hidden
