import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { downloadPackage } from '../registry/download.ts'
import { placeManifest, placeSkill, readInstalled, readManifestState } from '../installed/installed.ts'
import {
  emptyLock,
  findLockFolder,
  lockFileName,
  lockedIn,
  readLock,
  whileLocked,
  writeLock,
} from '../installed/lock-file.ts'
import type { Lock, LockedSkill } from '../installed/lock-file.ts'
import { getRelease, nameOf, readReleaseName } from '../registry/registry.ts'
import type { Registry, ReleaseName } from '../registry/registry.ts'
import { progressBar } from '../terminal/terminal.ts'

/** What became of one skill. */
interface Installed extends LockedSkill {
  name: string
  state: 'installed' | 'restored' | 'unchanged'
}

/** Installs approved releases into a folder, and restores what its lock file names. */
export const installCommand: Command = {
  name: 'install',
  summary: 'Install skills into this folder, or restore what its lock file names',
  usage: '[NAME[@VERSION]…] [--frozen]',
  help: `The module and its manifest go to skills/NAME, and ${lockFileName} notes version, size and SHA-256: commit it,
so that everybody has the same bytes. What arrives is compared with what was reviewed before it is written.
Without a version it is the approved release that was submitted last. The lock file is looked for here and
in the folders above; without one it is made here.

  --frozen   Change nothing of the lock file and mend no module: whatever differs from it is an error

  skill install csv-to-json        the latest release, also to upgrade
  skill install csv-to-json@1.0.0
  skill install                    all that the lock file names
  skill install --frozen           the same in automation`,
  options: { frozen: { type: 'boolean' } },
  words: { min: 0, max: 50 },
  async run(context, words, options) {
    const wanted = words.map(readReleaseName)
    const isFrozen = options.flag('frozen')
    const found = await findLockFolder(context.folder)
    if (found === null && (wanted.length === 0 || isFrozen)) throw noLock()
    const folder = found ?? context.folder
    const installed = await whileLocked(folder, context.signal, async () => {
      const lock = (await readLock(folder)) ?? emptyLock
      const order = { context, folder, lock, isFrozen }
      if (wanted.length === 0) return restore(order, Object.keys(lock.skills))
      return isFrozen ? restore(order, wanted.map(nameIn(lock))) : install(order, wanted)
    })
    return {
      data: { folder, skills: installed },
      print(terminal) {
        for (const { name, version, state } of installed) {
          terminal.line(`${terminal.style('green', '✓')} ${name} ${version} ${stateWords[state]}`)
        }
        const one = installed[0]
        if (one === undefined)
          terminal.line(`${lockFileName} names no skill. Add one with: skill install NAME`)
        else if (wanted.length > 0) {
          terminal.line(terminal.style('dim', `Run it with: skill run ${one.name}`))
        }
      },
    }
  },
}

const stateWords = { installed: 'installed', restored: 'restored', unchanged: 'is there already' }

interface Order {
  context: Context
  folder: string
  lock: Lock
  isFrozen: boolean
}

/** One after the other, each whole with its line in the lock file before the next. */
async function install(
  { context, folder, lock }: Order,
  wanted: readonly ReleaseName[],
): Promise<Installed[]> {
  const registry = context.registry()
  const done: Installed[] = []
  let skills = lock.skills
  for (const one of wanted) {
    // oxlint-disable-next-line no-await-in-loop
    const release = await getRelease(registry, one)
    const { name, version, sha256, size } = release
    const locked = { version, sha256, size, registry: registry.address.href.replace(/\/$/, '') }
    const former = lockedIn({ ...lock, skills }, name)
    if (former?.version === version && former.registry === locked.registry && former.sha256 !== sha256) {
      throw otherBytes(nameOf(release), former.sha256, sha256)
    }
    // oxlint-disable-next-line no-await-in-loop
    const isThere = await place(context, folder, registry, release, locked)
    skills = { ...skills, [name]: locked }
    // oxlint-disable-next-line no-await-in-loop
    writeLock(folder, { ...lock, skills })
    done.push({ name, ...locked, state: isThere ? 'unchanged' : 'installed' })
  }
  return done
}

/** Brings back exactly what the lock file names; a release that is not approved any more is refused. */
async function restore(
  { context, folder, lock, isFrozen }: Order,
  names: readonly string[],
): Promise<Installed[]> {
  const done: Installed[] = []
  for (const name of names) {
    const locked = lockedIn(lock, name)
    if (locked === undefined) continue
    // oxlint-disable-next-line no-await-in-loop
    const there = await readInstalled(folder, name, locked)
    if (there === 'changed' && isFrozen) throw drift(`skills/${name} does not hold what it names`)
    const registry = context.registryAt(locked.registry)
    // oxlint-disable-next-line no-await-in-loop
    const release = await getLocked(registry, { name, version: locked.version })
    if (release.sha256 !== locked.sha256 || release.size !== locked.size) {
      throw otherBytes(nameOf(release), locked.sha256, release.sha256)
    }
    // oxlint-disable-next-line no-await-in-loop
    if (isFrozen && (await readManifestState(folder, release)) === 'changed') {
      throw drift(`skills/${name}/manifest.json is not that of ${nameOf(release)}`)
    }
    // oxlint-disable-next-line no-await-in-loop
    const isThere = await place(context, folder, registry, release, locked)
    done.push({ name, ...locked, state: isThere ? 'unchanged' : 'restored' })
  }
  return done
}

/** Downloads only what is not there; true where nothing had to be changed. */
async function place(
  context: Context,
  folder: string,
  registry: Registry,
  release: RegistryVersion,
  locked: LockedSkill,
): Promise<boolean> {
  if (typeof (await readInstalled(folder, release.name, locked)) === 'string') {
    await placeSkill(folder, release, await download(context, registry, release))
    return false
  }
  if ((await readManifestState(folder, release)) === 'same') return true
  await placeManifest(folder, release)
  return false
}

async function getLocked(registry: Registry, wanted: ReleaseName) {
  try {
    return await getRelease(registry, wanted)
  } catch (error) {
    if (!(error instanceof ClientError) || error.exitCode !== exitCodes.notFound) throw error
    throw new ClientError(
      exitCodes.notFound,
      `${lockFileName} names ${nameOf(wanted)}, which ${registry.address.host} does not offer any more.`,
      {
        code: 'WITHDRAWN',
        next: `It may have been revoked: do not run it. See what there is with: skill info ${wanted.name}`,
        cause: error,
      },
    )
  }
}

async function download(
  { terminal }: Context,
  registry: Registry,
  release: RegistryVersion,
): Promise<Buffer> {
  try {
    return await downloadPackage(registry, release, (bytes) =>
      terminal.status(progressBar(nameOf(release), bytes, release.size)),
    )
  } finally {
    terminal.status('')
  }
}

/** The name of a wanted release, which the lock file has to hold just so. */
const nameIn =
  (lock: Lock) =>
  (wanted: ReleaseName): string => {
    const locked = lockedIn(lock, wanted.name)
    if (locked === undefined) throw drift(`it does not name ${wanted.name}`)
    if (wanted.version !== null && wanted.version !== locked.version) {
      throw drift(`it names ${wanted.name} ${locked.version} and not ${wanted.version}`)
    }
    return wanted.name
  }

function drift(reason: string): ClientError {
  return new ClientError(exitCodes.no, `${lockFileName} is frozen, and ${reason}.`, {
    code: 'DRIFT',
    next: 'Without --frozen it would be changed. Look at what has changed, then commit the lock file.',
  })
}

function noLock(): ClientError {
  return new ClientError(exitCodes.no, `There is no ${lockFileName} here or in a folder above.`, {
    code: 'NO_LOCK',
    next: 'Install a skill by its name, which makes one: skill install NAME',
  })
}

function otherBytes(release: string, before: string, now: string): ClientError {
  return new ClientError(
    exitCodes.mismatch,
    `${release} had the SHA-256 ${before} when it was locked and has ${now} now; a release never changes.`,
    { code: 'DIGEST_MISMATCH', next: 'Nothing was written. Tell whoever runs the registry.' },
  )
}
