import { isDeepStrictEqual } from 'node:util'
import type { Deprecation } from '../../shared/contracts/release-states.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from '../exit-codes.ts'
import { getApproval } from '../registry/attestation.ts'
import { downloadPackage } from '../registry/download.ts'
import { readInstalled, readManifestState, writeManifest, writeSkill } from '../installed/installed-skills.ts'
import {
  findLock,
  keyIn,
  lockFileName,
  lockedIn,
  withKey,
  withLock,
  writeLock,
} from '../installed/lock-file.ts'
import type { Lock, LockedSkill } from '../installed/lock-file.ts'
import { checkLocked, getLockFolder } from '../installed/locked-releases.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { deprecationLine } from '../registry/deprecation.ts'
import { getRelease, nameOf, readReleaseName } from '../registry/registry.ts'
import type { Registry, ReleaseName } from '../registry/registry.ts'
import { progressBar } from '../terminal/terminal.ts'

/** The result for one skill. */
interface Installed extends LockedRelease {
  state: 'installed' | 'restored' | 'unchanged'
}

/** Installs approved releases into a folder, or restores those in its lock file. */
export const installCommand: Command = {
  name: 'install',
  summary: 'Install skills into this folder, or restore them from the lock file',
  usage: ['[NAME[@VERSION]…] [--frozen]'],
  about: `Saves the module and its manifest to skills/NAME and records version, size and SHA-256 in ${lockFileName}.
Commit the lock file so that everyone gets the same bytes. Before anything is written, the download is compared with
the reviewed SHA-256, and the registry's signed approval of it is verified with the key that the lock file pins.
What is already there is not transferred again. Without a version, installs the latest approved release. The lock
file is searched for in this folder and its parents, and created here if it does not exist.`,
  options: {
    frozen: {
      type: 'boolean',
      help: 'fail instead of changing the lock file or replacing a module that differs from it',
    },
  },
  notes: `  skill install csv-to-json        install or upgrade to the latest release
  skill install csv-to-json@1.0.0
  skill install                    restore everything in the lock file
  skill install --frozen           the same, for CI`,
  positionals: { min: 0, max: 50 },
  async run(context, positionals, options) {
    const requested = positionals.map(readReleaseName)
    const isFrozen = options.flag('frozen')
    const needsLock = requested.length === 0 || isFrozen
    const folder = needsLock
      ? (await getLockFolder(context)).folder
      : ((await findLock(context.folder))?.folder ?? context.folder)
    const installed = await withLock(folder, context.signal, async (lock) => {
      const task = { context, folder, lock }
      if (requested.length === 0) return restore(task, Object.keys(lock.skills), isFrozen)
      if (isFrozen) return restore(task, requested.map(nameIn(lock)), isFrozen)
      const registry = context.registry()
      return install(
        task,
        requested.map((one) => ({ ...one, registry })),
      )
    })
    const skills = await withDeprecations(context, installed)
    return {
      data: { folder, skills },
      print(terminal) {
        for (const { name, version, state, deprecation } of skills) {
          const { done, states } = texts.install
          terminal.outcome(true, done(name, version, states[state]))
          if (deprecation !== null) terminal.line(`  ${deprecationLine(terminal, deprecation)}`)
        }
        const one = installed[0]
        if (one === undefined) terminal.line(texts.install.empty)
        else if (requested.length > 0) terminal.note(texts.install.run(one.name))
      },
    }
  },
}

const { drifts } = texts.install

/** Adds the deprecations of installed skills. They are advice, so an error must not make the installation fail. */
export async function withDeprecations<T extends LockedRelease>(
  context: Context,
  installed: readonly T[],
): Promise<(T & { deprecation: Deprecation | null })[]> {
  const checked = await checkLocked(context, installed).catch(() => [])
  return installed.map((skill, index) => ({
    ...skill,
    deprecation: checked[index]?.deprecation ?? null,
  }))
}

interface InstallTask {
  context: Context
  folder: string
  lock: Lock
}

/** A release to install. Without a version, the latest. */
interface Requested extends ReleaseName {
  registry: Registry
}

/** Installs one skill after another and updates the lock file after each, so that they still match after an error. */
export async function install(
  { context, folder, lock }: InstallTask,
  requested: readonly Requested[],
): Promise<Installed[]> {
  const done: Installed[] = []
  let current = lock
  for (const { registry, ...one } of requested) {
    const release = await getRelease(registry, one)
    const { name, version, sha256, size } = release
    const locked = { version, sha256, size, registry: registry.url }
    const former = lockedIn(current, name)
    if (former?.version === version && former.registry === locked.registry && former.sha256 !== sha256) {
      throw digestMismatch(release, former)
    }
    const approval = await getApproval(registry, release, keyIn(current, locked.registry))
    const isUnchanged = await writeIfNeeded(context, folder, registry, release, locked)
    current = withKey(
      { ...current, skills: { ...current.skills, [name]: locked } },
      locked.registry,
      approval,
    )
    writeLock(folder, current)
    done.push({ name, ...locked, state: isUnchanged ? 'unchanged' : 'installed' })
  }
  return done
}

/** Restores exactly the releases in the lock file. Throws if one is no longer approved. */
async function restore(
  { context, folder, lock }: InstallTask,
  names: readonly string[],
  isFrozen: boolean,
): Promise<Installed[]> {
  const done: Installed[] = []
  let current = lock
  for (const name of names) {
    const locked = lockedIn(lock, name)
    if (locked === undefined) continue
    const module = await readInstalled(folder, name, locked)
    if (module === 'changed' && isFrozen) throw drift(drifts.module(name))
    const registry = context.registryAt(locked.registry)
    const release = await getLocked(registry, { name, version: locked.version })
    if (release.sha256 !== locked.sha256 || release.size !== locked.size) {
      throw digestMismatch(release, locked)
    }
    if (isFrozen && (await readManifestState(folder, release)) === 'changed') {
      throw drift(drifts.manifest(name, nameOf(release)))
    }
    const approval = await getApproval(registry, release, keyIn(current, locked.registry))
    current = withKey(current, locked.registry, approval)
    const isUnchanged = await writeIfNeeded(context, folder, registry, release, locked)
    done.push({ name, ...locked, state: isUnchanged ? 'unchanged' : 'restored' })
  }
  if (!isFrozen && !isDeepStrictEqual(current, lock)) writeLock(folder, current)
  return done
}

/** Writes only what is missing or different. Resolves to true if nothing changed. */
async function writeIfNeeded(
  context: Context,
  folder: string,
  registry: Registry,
  release: RegistryVersion,
  locked: LockedSkill,
): Promise<boolean> {
  const module = await readInstalled(folder, release.name, locked)
  const installed = typeof module === 'string' ? null : module
  const bytes = await download(context, registry, release, installed)
  if (installed === null) {
    await writeSkill(folder, release, bytes)
    return false
  }
  if ((await readManifestState(folder, release)) === 'same') return true
  await writeManifest(folder, release)
  return false
}

async function getLocked(registry: Registry, requested: ReleaseName) {
  try {
    return await getRelease(registry, requested)
  } catch (error) {
    if (!(error instanceof ClientError) || error.exitCode !== exitCodes.notFound) throw error
    throw new ClientError(
      exitCodes.notFound,
      texts.install.withdrawn(nameOf(requested), registry.host, requested.name),
      { code: 'WITHDRAWN', cause: error },
    )
  }
}

async function download(
  { terminal }: Context,
  registry: Registry,
  release: RegistryVersion,
  installed: Buffer | null,
): Promise<Buffer> {
  try {
    return await downloadPackage(registry, release, installed, (bytes) =>
      terminal.status(progressBar(terminal, nameOf(release), bytes, release.size)),
    )
  } finally {
    terminal.status('')
  }
}

/** The name of a requested release. Throws unless the lock file lists it, with the same version if one is given. */
const nameIn =
  (lock: Lock) =>
  (requested: ReleaseName): string => {
    const locked = lockedIn(lock, requested.name)
    if (locked === undefined) throw drift(drifts.notListed(requested.name))
    if (requested.version !== null && requested.version !== locked.version) {
      throw drift(drifts.version(requested.name, locked.version, requested.version))
    }
    return requested.name
  }

const drift = (reason: string): ClientError =>
  new ClientError(exitCodes.failed, texts.install.drift(reason), { code: 'DRIFT' })

const digestMismatch = (release: RegistryVersion, locked: LockedSkill): ClientError =>
  new ClientError(exitCodes.mismatch, texts.install.digestMismatch(nameOf(release), locked, release), {
    code: 'DIGEST_MISMATCH',
  })
