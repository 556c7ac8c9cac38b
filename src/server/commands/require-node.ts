import { texts } from './commands.texts.ts'

/** Imported first: SQLite's native code crashes without a message on a Node that is too old for it. */
if (Number(process.versions['napi'] ?? 0) < 10) {
  process.stderr.write(`${texts.usage.requiresNode(process.version)}\n`)
  process.exit(1)
}
