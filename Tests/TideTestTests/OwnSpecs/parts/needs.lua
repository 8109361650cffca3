return require "parts.unfinished"
