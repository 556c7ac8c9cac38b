import { stat, readdir } from 'node:fs/promises'
import { arch, cpus, freemem, release, totalmem } from 'node:os'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { DeskServices } from '../../shared/contracts/desk-services.ts'
import type { DeskSettings } from '../../shared/contracts/desk-settings.ts'
import { codeOf, messageOf } from '../../shared/errors.ts'
import { endBytes, paddingOf, tarHeader } from '../backup/tar-header.ts'
import type { Config } from '../settings/config.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { describeDatabase } from '../db/describe-database.ts'
import type { Database } from '../db/database.ts'
import type { FileReply } from '../http/replies.ts'
import { withoutSecrets } from '../http/request-log.ts'
import type { LogLines } from '../operations/log-lines.ts'
import { programVersion } from '../operations/version.ts'

interface DiagnosticsParts {
  config: Readonly<Config>
  paths: DataPaths
  database: Database
  logLines: LogLines
  corruptValues: CorruptValues
  describeSettings(): DeskSettings
  getServices(): Promise<DeskServices>
}

/** Lines processed at once, so that other requests don't wait. */
const linesAtOnce = 500

/** Information for troubleshooting, without secrets, as a compressed tar archive. */
export async function makeDiagnostics(parts: DiagnosticsParts): Promise<FileReply> {
  const now = new Date()
  const files: Record<string, Buffer> = {
    'about.json': asJson(about(now)),
    'settings.json': asJson(describeSettings(parts)),
    'services.json': asJson(await parts.getServices()),
    'data.json': asJson(await describeData(parts)),
    'log.jsonl': await withoutSecretLines(parts.logLines.raw()),
  }
  const mtime = Math.floor(now.getTime() / 1000)
  const pieces = Object.entries(files).flatMap(([name, bytes]) => [
    tarHeader({ name: `skilldock-diagnostics/${name}`, size: bytes.length, mtime }),
    bytes,
    Buffer.alloc(paddingOf(bytes.length)),
  ])
  const source = Readable.from([...pieces, Buffer.alloc(endBytes)], { objectMode: false })
  const fileName = `skilldock-diagnostics-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.tar.gz`
  return {
    mediaType: 'application/gzip',
    size: null,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    chunks: () => source.pipe(createGzip()),
  }
}

function about(now: Date) {
  return {
    madeAt: now.toISOString(),
    version: programVersion,
    versions: process.versions,
    platform: process.platform,
    system: release(),
    architecture: arch(),
    processors: cpus().length,
    memory: { total: totalmem(), free: freemem(), process: process.memoryUsage() },
    uptimeSeconds: Math.round(process.uptime()),
  }
}

/** The settings contain no secrets, only the paths of files with secrets. */
function describeSettings({ config, describeSettings: describe }: DiagnosticsParts) {
  const providers = config.issuers.map(({ name, issuer }) => ({ name, issuer }))
  try {
    return { ...describe(), providers }
  } catch (error) {
    return { error: messageOf(error), providers }
  }
}

async function describeData({ paths, database, corruptValues }: DiagnosticsParts) {
  const [packages, files] = await Promise.all([
    readdir(paths.packages).then(
      // Unfinished uploads and the samples of health checks are not packages.
      (names) => names.filter((name) => !name.endsWith('.part')).length,
      () => null,
    ),
    Promise.all(
      [paths.database, paths.settings, paths.signingKey, paths.packages].map(async (path) => ({
        path,
        ...(await describeFile(path)),
      })),
    ),
  ])
  let facts: unknown = null
  try {
    facts = { ...describeDatabase(database.reader), walBytes: database.walBytes() }
  } catch (error) {
    facts = { error: String(error) }
  }
  return { database: facts, corruptValues: corruptValues.list(), packageFiles: packages, files }
}

async function describeFile(path: string): Promise<Record<string, unknown>> {
  try {
    const { size, mode, mtime } = await stat(path)
    return { size, mode: (mode & 0o777).toString(8).padStart(3, '0'), changedAt: mtime.toISOString() }
  } catch (error) {
    return { error: codeOf(error) ?? String(error) }
  }
}

async function withoutSecretLines(lines: string[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    parts.push(Buffer.from(withoutSecrets(lines.slice(at, at + linesAtOnce).join(''))))
    // Lets other requests take their turn.
    await nextTurn()
  }
  return Buffer.concat(parts)
}

function asJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
