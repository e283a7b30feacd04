"""What every part of the tool may use: errors, the project's files, the cache, progress bars."""
