"""Common parts of the tool: errors, the project's files, the cache, progress bars."""
