import { Readable } from 'node:stream'
import { z } from 'zod'
import { ClientError } from '../../client/client-error.ts'
import { exitCodes } from '../../client/exit-codes.ts'
import { auditTransparencyLog } from '../../client/log/audit-transparency-log.ts'
import { formatState, parseState } from '../../client/log/log-state.ts'
import type { LogState } from '../../client/log/log-state.ts'
import { findKey, getApproval } from '../../client/registry/attestation.ts'
import { downloadPackage } from '../../client/registry/download.ts'
import { getRelease, nameOf } from '../../client/registry/registry.ts'
import type { Registry } from '../../client/registry/registry.ts'
import { attestationKeySchema, attestationRoutes } from '../../shared/contracts/attestations.ts'
import type { AttestationKey } from '../../shared/contracts/attestations.ts'
import { keyRoutes } from '../../shared/contracts/discovery.ts'
import { releaseStateRoutes } from '../../shared/contracts/release-states.ts'
import { digestSchema } from '../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../shared/contracts/manifest.ts'
import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { DomainError, messageOf } from '../../shared/errors.ts'
import { formatVerifierKey } from '../../shared/log/signed-note.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Database } from '../db/database.ts'
import { mirrorRepository } from '../domains/releases/mirror/mirror.repository.ts'
import type { MirrorRow, WantedRelease } from '../domains/releases/mirror/mirror.repository.ts'
import { DamagedFileError } from '../storage/file-store.ts'
import type { FileStore } from '../storage/file-store.ts'
import { thumbprint } from '../storage/signing-key.ts'
import type { WasmValidator } from '../wasm/wasm-validator.ts'
import { createCopies } from './copies.ts'
import { texts } from './mirror.texts.ts'

interface MirrorParts {
  database: Database
  files: FileStore
  /** Reads modules in a helper process. */
  validator: Pick<WasmValidator, 'validate'>
  /** The registry to copy. */
  registry: Registry
  /** Keys that the administrator gave, which replace the pinned ones. */
  logKey: string | null
  attestationKey: string | null
  /** Milliseconds between two runs; null if something else starts them. */
  everyMs: number | null
}

export interface MirrorRun {
  /** Releases that were copied, and those that are no longer served. */
  added: string[]
  revoked: string[]
  /** What could not be copied, and why. */
  problems: string[]
  /** Whether releases are left for the next run, because this one reached its time limit. */
  isPartial: boolean
}

/** Downloads at once. Each needs the memory of one package. */
const concurrency = 4

/** What is noted of a list of problems. */
const maxShownProblems = 5

/** Releases that could not be fetched, after which the registry does not answer at all. */
const maxUnreachable = 5

/** An entry of the log about a release that is public. */
const entrySchema = z.object({
  type: z.enum(['release.approved', 'release.revoked', 'release.deprecated', 'deprecation.withdrawn']),
  name: skillNameSchema,
  version: versionSchema,
  sha256: digestSchema,
})
type Entry = z.infer<typeof entrySchema>

/**
 * Copies what is new at a registry, trusting only its pinned keys. The transparency log says which releases are approved and
 * which are revoked, so what is signed decides, and not what an answer lists. Each step leaves a consistent mirror: what
 * is missing is found again by the next run, by comparing the log's decisions with what is here.
 *
 * Throws a Refusal for a registry with releases of its own, or another log than the pinned one, and a ClientError if the
 * registry does not answer or its log can't be verified. Then nothing has changed but the noted reason.
 */
export function createMirrorRuns(parts: MirrorParts) {
  const { database, files, registry, validator } = parts
  const reading = mirrorRepository(database.reader)
  const writing = mirrorRepository(database.writer)
  const copies = createCopies(database, registry.address.host)

  /** The verified log with its new entries about releases. */
  const followLog = async (row: MirrorRow | null): Promise<{ state: LogState; entries: Entry[] }> => {
    const pinned = row === null ? null : parseState(row.log)
    // It must not be mistaken for the first contact.
    if (row !== null && pinned === null) throw new Refusal(texts.damaged)
    const isReplaced =
      pinned !== null && parts.logKey !== null && formatVerifierKey(pinned.key) !== parts.logKey
    const entries: Entry[] = []
    const { state } = await auditTransparencyLog({
      registry,
      file: '',
      former: isReplaced ? null : pinned,
      releases: [],
      onProgress: () => {},
      onEntry(bytes) {
        const entry = entrySchema.safeParse(JSON.parse(Buffer.from(bytes).toString()))
        if (entry.success) entries.push(entry.data)
      },
    })
    if (parts.logKey !== null && formatVerifierKey(state.key) !== parts.logKey)
      throw new Refusal(texts.otherLogKey(registry.address.host, formatVerifierKey(state.key)))
    return { state, entries }
  }

  /** Stores what the log says, and withdraws at once what is no longer approved. */
  const applyLog = (state: LogState, entries: readonly Entry[], at: string): Promise<string[]> =>
    database.transact(() => {
      const former = writing.find()
      if (former === null && writing.hasReleases()) throw new Refusal(texts.ownReleases)
      // Of a registry that started its log again, nothing counts any longer.
      if (former !== null && !isSameKey(parseState(former.log), state)) writing.forget()
      const log = formatState(registry.address, state)
      writing.saveLog({ of: registry.url, log, everyMs: parts.everyMs })
      for (const { type, ...release } of entries) {
        if (type === 'release.approved') writing.saveDecision({ ...release, action: 'approved' })
        else if (type === 'release.revoked') writing.saveDecision({ ...release, action: 'revoked' })
        else writing.saveStale(1, release.name, release.version)
      }
      const revoked = writing.listWithdrawn().map((id) => copies.revoke(id, at))
      writing.saveTime(at)
      return revoked
    })

  /** The key that signs attestations now. The pinned one must vouch for it. */
  const followKeys = async (): Promise<AttestationKey> => {
    const pinned = z.array(attestationKeySchema).parse(JSON.parse(reading.find()?.keys ?? '[]'))
    const { keys } = await registry.call(keyRoutes.getSigningKeys)
    const current = keys.find(({ kid, x }) => kid === `attest-${thumbprint(x)}`)
    if (current === undefined) throw new Refusal(texts.noAttestationKey(registry.address.host))
    const last = pinned.at(-1)
    const expected = parts.attestationKey
    if (expected !== null && expected !== current.kid)
      throw new Refusal(texts.notExpectedKey(registry.address.host, current.kid, expected))
    const isTrusted = expected !== null || last === undefined
    const key = isTrusted ? current : await findKey(registry, current.kid, last)
    if (key === null) throw new Refusal(texts.otherAttestationKey(registry.address.host, current.kid))
    const { rotations } = await registry.call(attestationRoutes.listKeyRotations)
    // The former key stays until no stored attestation needs it.
    const former = pinned.filter(({ kid }) => kid !== key.kid)
    const held = [...former, { kid: key.kid, x: key.x }]
    await database.transact(() => writing.saveKeys(JSON.stringify(held), JSON.stringify(rotations)))
    return key
  }

  const fetchPackage = async (
    release: Pick<RegistryVersion, 'name' | 'version' | 'size' | 'sha256'>,
  ): Promise<ModuleFacts> => {
    const bytes = await downloadPackage(registry, release, null, () => {})
    const file = await files.receive(Readable.from([bytes]))
    try {
      const result = await validator.validate(file.path)
      if (!result.ok) throw new Refusal(texts.notModule(result.problems[0]?.message ?? ''))
      await files.keep(file)
      return result.module
    } catch (error) {
      await files.discard(file)
      throw error
    }
  }

  const copyOne = async (wanted: WantedRelease, key: AttestationKey): Promise<boolean> => {
    const { name, version, sha256, id, size } = wanted
    if (id !== null && wanted.status !== 'approved') throw new Refusal(texts.revokedBefore)
    const release = id === null ? await getRelease(registry, wanted) : null
    if (release !== null && release.sha256 !== sha256) throw new Refusal(texts.otherDigest)
    const approval = wanted.kid === key.kid ? null : await getApproval(registry, wanted, key)
    const module =
      release !== null || !(await isIntact(sha256))
        ? await fetchPackage(release ?? { name, version, sha256, size: size ?? 0 })
        : null
    const { deprecation } =
      wanted.isStale === 1
        ? await registry.call(releaseStateRoutes.getReleaseState, { params: { name, version } })
        : { deprecation: undefined }
    await database.transact(() => {
      // It can't have been revoked meanwhile: only the process with the mirror's lock does that.
      const copied = release && approval && module ? copies.add(release, approval.statement, module) : id
      if (approval !== null) writing.saveEnvelope(key.kid, JSON.stringify(approval.envelope), name, version)
      if (deprecation === undefined || copied === null) return
      copies.deprecate(copied, deprecation)
      writing.saveStale(0, name, version)
    })
    return release !== null
  }

  const isIntact = async (sha256: string): Promise<boolean> => {
    try {
      await files.locate(sha256)
      return true
    } catch (error) {
      if (error instanceof DamagedFileError) return false
      throw error
    }
  }

  const isComplete = async ({ id, status, sha256, kid, isStale }: WantedRelease, key: AttestationKey) =>
    id !== null && status === 'approved' && kid === key.kid && isStale === 0 && (await isIntact(sha256))

  const copyAll = async (key: AttestationKey, run: MirrorRun, deadline: number): Promise<void> => {
    let unreachable = 0
    const copy = async (wanted: WantedRelease): Promise<void> => {
      if (await isComplete(wanted, key)) return
      if (performance.now() > deadline) {
        run.isPartial = true
        return
      }
      const release = nameOf(wanted)
      try {
        if (await copyOne(wanted, key)) run.added.push(release)
      } catch (error) {
        if (!isExpected(error)) throw error
        if (error instanceof ClientError && error.exitCode === exitCodes.unreachable) unreachable += 1
        if (unreachable === maxUnreachable) throw error
        run.problems.push(texts.problem(release, error.message))
      }
    }
    await Readable.from(reading.listWanted()).forEach(copy, { concurrency })
  }

  const runOnce = async (run: MirrorRun): Promise<void> => {
    const started = performance.now()
    const at = new Date().toISOString()
    const row = reading.find()
    const { state, entries } = await followLog(row)
    run.revoked = await applyLog(state, entries, at)
    const key = await followKeys()
    await copyAll(key, run, started + (parts.everyMs ?? Infinity))
    if (run.isPartial || run.problems.length > 0) return
    const { rotations = '[]' } = reading.find() ?? {}
    await database.transact(() => writing.saveKeys(JSON.stringify([{ kid: key.kid, x: key.x }]), rotations))
  }

  return {
    async run(): Promise<MirrorRun> {
      const run: MirrorRun = { added: [], revoked: [], problems: [], isPartial: false }
      const note = (problem: string | null) =>
        // Nothing is noted in the folder of another registry.
        reading.find() === null ? null : database.transact(() => writing.saveProblem(problem))
      try {
        await runOnce(run)
        const shown = run.problems.slice(0, maxShownProblems)
        const more = run.problems.length - shown.length
        await note(shown.length === 0 ? null : texts.problems(shown, more))
        return run
      } catch (error) {
        if (!registry.options.signal.aborted) await note(messageOf(error))
        throw error
      }
    },
  }
}

const isSameKey = (one: LogState | null, other: LogState): boolean =>
  one !== null && formatVerifierKey(one.key) === formatVerifierKey(other.key)

/** Whether a release may cause it, so that the others are still copied. */
const isExpected = (error: unknown): error is Error =>
  error instanceof Refusal || error instanceof DomainError || error instanceof ClientError
