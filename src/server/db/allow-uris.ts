// Import this wherever SQLite is imported: its native code reads the variable once, when the first database is opened,
// and otherwise doesn't accept names such as `file:///…?immutable=1`. Absolute paths keep their meaning.
process.env['SQLITE_USE_URI'] = '1'
