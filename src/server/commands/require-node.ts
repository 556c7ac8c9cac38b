/** Imported first: SQLite's native code crashes without a message on a Node that is too old for it. */
if (Number(process.versions['napi'] ?? 0) < 10) {
  process.stderr.write(
    `Skilldock requires Node 24; this is ${process.version}. ` +
      'Start it with npm, which provides the right version: npm start, or npm run -s skilldock -- COMMAND\n',
  )
  process.exit(1)
}
