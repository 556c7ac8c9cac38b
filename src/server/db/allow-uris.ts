// Imported wherever SQLite is: its native part reads this once, when the first database is opened, and takes
// names such as `file:///…?immutable=1` only then. Our own names are absolute paths and mean what they did.
process.env['SQLITE_USE_URI'] = '1'
