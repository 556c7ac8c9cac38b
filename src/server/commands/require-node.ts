/** Imported first of all: the native parts of SQLite crash without a word on a Node that is too old for them. */
if (Number(process.versions['napi'] ?? 0) < 10) {
  process.stderr.write(
    `Skilldock needs Node 24, and this is ${process.version}. ` +
      'Start it through npm, which brings the right one: npm start, or npm run -s skilldock -- COMMAND\n',
  )
  process.exit(1)
}
