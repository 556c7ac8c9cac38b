import { bytesToHex } from '@noble/hashes/utils.js'
import { toBase64 } from '../../shared/log/base64.ts'
import { formatVerifierKey } from '../../shared/log/signed-note.ts'
import { usageError } from '../client-error.ts'
import type { Command, Context, Result } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { withFileMutex } from '../installed/file-mutex.ts'
import { findLock } from '../installed/lock-file.ts'
import { auditTransparencyLog } from '../log/audit-transparency-log.ts'
import type { LogAudit } from '../log/audit-transparency-log.ts'
import { keyOf } from '../log/logged-decisions.ts'
import type { DecidedRelease, Decision } from '../log/logged-decisions.ts'
import { createStateFolder, readState, stateFile, writeState } from '../log/log-state.ts'
import { nameOf } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { auditReleases } from './audit-releases.ts'
import { texts } from './commands.texts.ts'

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Find installed skills that are revoked, deprecated or outdated, or verify the log',
  usage: ['[--strict]', '--log'],
  about: `Asks the registries about every release in the lock file. Exits with 1 if one was revoked, or is not the release
that its registry knows by this version.

The registry records every decision in a log that it can only append to. With --log, the first audit remembers the
key and the signed checkpoint of the log. Each later one verifies that the log still begins with everything
remembered, reads the new entries, and looks up each skill that the lock file lists from this registry.`,
  options: {
    strict: { type: 'boolean', help: 'also exit with 1 if a skill is deprecated or outdated' },
    log: { type: 'boolean', help: 'audit the transparency log' },
  },
  notes: `With --log, exits with 8 if the history was rewritten or is not signed with the remembered key, and 1 if a locked skill
is not approved in the log.

  skill audit
  skill audit --strict --json
  skill audit --log`,
  run(context, _positionals, options) {
    const isStrict = options.flag('strict')
    if (!options.flag('log')) return auditReleases(context, isStrict)
    if (isStrict) throw usageError(texts.audit.notCombined)
    return auditRegistry(context)
  },
}

async function auditRegistry(context: Context): Promise<Result> {
  const registry = context.registry()
  const { releases, others } = await readLocked(context, registry)
  const file = stateFile(context.config, registry.address)
  await createStateFolder(file)
  const { audit, isFirst } = await withFileMutex(file, context.signal, () =>
    auditOnce(context, registry, file, releases),
  )
  const { key, checkpoint, decisions } = audit.state
  const skills = releases.map((release) => ({
    ...release,
    decision: decisions.get(keyOf(release)) ?? null,
  }))
  const isApproved = skills.every(({ decision }) => decision?.action === 'approved')
  return {
    data: {
      registry: registry.address.href,
      key: formatVerifierKey(key),
      size: checkpoint.size,
      root: toBase64(checkpoint.root),
      isFirst,
      newEntries: audit.newEntries,
      skills,
      revocations: audit.revocations,
      others,
    },
    exitCode: isApproved ? exitCodes.done : exitCodes.failed,
    print(terminal) {
      print(terminal, { host: registry.address.host, audit, isFirst, skills, others })
    },
  }
}

/** The locked releases of this registry, and how many are from others. */
async function readLocked(
  context: Context,
  registry: Registry,
): Promise<{ releases: DecidedRelease[]; others: number }> {
  const found = await findLock(context.folder)
  const locked = Object.entries(found?.lock.skills ?? {})
  const own = locked.filter(([, one]) => one.registry === registry.url)
  return {
    releases: own.map(([name, { version, sha256 }]) => ({ name, version, sha256 })),
    others: locked.length - own.length,
  }
}

async function auditOnce(
  { terminal }: Context,
  registry: Registry,
  file: string,
  releases: readonly DecidedRelease[],
): Promise<{ audit: LogAudit; isFirst: boolean }> {
  const former = await readState(file)
  try {
    const audit = await auditTransparencyLog({
      registry,
      file,
      former,
      releases,
      onProgress: (read, total) => terminal.status(texts.audit.reading(read, total)),
    })
    writeState(file, registry.address, audit.state)
    return { audit, isFirst: former === null }
  } finally {
    terminal.status('')
  }
}

function print(
  terminal: Terminal,
  report: {
    host: string
    audit: LogAudit
    isFirst: boolean
    skills: readonly (DecidedRelease & { decision: Decision | null })[]
    others: number
  },
): void {
  const { host, audit, isFirst, skills, others } = report
  const { checkpoint, key } = audit.state
  const { verified, verifiedFirst, first, revoked, more, approval, otherRegistries } = texts.audit
  const { size } = checkpoint
  terminal.outcome(true, isFirst ? verifiedFirst(host, size) : verified(host, size, audit.newEntries))
  if (isFirst) terminal.note(first(bytesToHex(key.keyHash)))
  for (const skill of skills) {
    terminal.outcome(skill.decision?.action === 'approved', approval(nameOf(skill), skill.decision))
  }
  const { total, latest } = audit.revocations
  for (const release of latest) terminal.line(revoked(nameOf(release), release.at))
  if (total > latest.length) terminal.line(more(total - latest.length))
  if (others > 0) terminal.note(otherRegistries(others))
}
