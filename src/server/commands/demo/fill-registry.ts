import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Administrator } from '../../../shared/contracts/people.ts'
import { skillManifestSchema } from '../../../shared/contracts/manifest.ts'
import type { Database } from '../../db/database.ts'
import { identityRepository, toPerson } from '../../domains/identity/identity.repository.ts'
import { builtInIssuer } from '../../domains/identity/identity.rules.ts'
import { createPeopleService } from '../../domains/identity/people.service.ts'
import { createReviewService } from '../../domains/releases/decisions/review-release.service.ts'
import { createSubmissionService } from '../../domains/releases/submit-release.service.ts'
import type { ImageMaker } from '../../images/image-maker.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { SigningKey } from '../../storage/signing-key.ts'
import type { WasmValidator } from '../../wasm/wasm-validator.ts'
import { demoAdministrator, demoPeople, demoReleases } from './demo-content.ts'
import type { DemoDecision, DemoPerson, DemoRelease, Moment } from './demo-content.ts'
import { contentEvents } from './fill-content.ts'

export interface Registry {
  database: Database
  files: FileStore
  validator: WasmValidator
  signingKey: SigningKey
  /** Images and their renditions. */
  imageFiles: FileStore
  imageMaker: ImageMaker
  /** Holds a folder for each skill, with its manifest and its module. The demo's images are next to it, in `demo`. */
  skillsFolder: string
  now: Date
}

interface Event {
  at: Date
  run(): Promise<void>
}

/** Replays the demo's events in order, through the services and under their rules. */
export async function fillRegistry(registry: Registry): Promise<void> {
  const { database, files, validator } = registry
  let time = registry.now
  const clock = (): Date => time
  const identity = identityRepository(database.writer)
  const getPerson = (subject: string) => {
    const row = identity.findPerson(builtInIssuer, subject)
    if (row === null) throw new Error(`the demo has no person ${subject}`)
    return toPerson(row)
  }
  const reviews = createReviewService(database, { clock })
  const people = createPeopleService(database, registry.signingKey, reviews.rewritePublisher, clock)
  const submissions = createSubmissionService(database, files, validator, { dailySubmissions: 10 }, clock)
  const ids = new Map<DemoRelease, number>()

  const addPerson = async ({ subject, name, role }: DemoPerson): Promise<void> => {
    await people.addPerson({ subject, name, role })
  }

  const submit = async (release: DemoRelease): Promise<void> => {
    const { manifest, module } = await readRelease(registry.skillsFolder, release)
    const file = await submissions.receive(Readable.from([module]))
    const { id } = await submissions.submitRelease(getPerson(release.by), manifest, file)
    ids.set(release, id)
  }

  const getAdministrator = (): Administrator => {
    const administrator = getPerson(demoAdministrator)
    if (isAdministrator(administrator)) return administrator
    throw new Error(`${demoAdministrator} is not an administrator`)
  }

  const decide = async (release: DemoRelease, { action, reason }: DemoDecision): Promise<void> => {
    await reviews.reviewRelease(getAdministrator(), ids.get(release) ?? 0, { action, reason })
  }

  const dated = (moment: Moment, run: () => Promise<void>): Event => ({
    at: dateOf(moment, registry.now),
    run,
  })
  const content = contentEvents({
    ...registry,
    folder: join(dirname(registry.skillsFolder), 'demo'),
    clock,
    getAdministrator,
  })
  const events = [
    ...demoPeople.map((person) => dated(person.joined, () => addPerson(person))),
    ...demoReleases.flatMap((release) => [
      dated(release.at, () => submit(release)),
      ...release.decisions.map((decision) => dated(decision.at, () => decide(release, decision))),
    ]),
    ...content.map(({ moment, run }) => dated(moment, run)),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (const [index, { at, run }] of events.entries()) {
    // Adds seconds, because real events are not exactly on the minute.
    time = new Date(at.getTime() + ((index * 7919) % 60_000))
    // Each event builds on the ones before it.
    await run()
  }
}

function isAdministrator(person: ReturnType<typeof toPerson>): person is Administrator {
  return person.role === 'administrator'
}

/** The date of a moment, without seconds. */
function dateOf(moment: Moment, now: Date): Date {
  const minute = 60_000
  if (typeof moment === 'number') return new Date((Math.floor(now.getTime() / minute) - moment) * minute)
  const [days, time] = moment
  const day = new Date(now.getTime() - days * 24 * 60 * minute).toISOString().slice(0, 10)
  return new Date(`${day}T${time}:00Z`)
}

/** The manifest of one version as text, and a module that is unique to this version. */
async function readRelease(
  skillsFolder: string,
  { skill, version, news, manifest: change }: DemoRelease,
): Promise<{ manifest: string; module: Uint8Array }> {
  const folder = join(skillsFolder, skill)
  const present = skillManifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const { readme } = { ...present, ...change }
  const manifest = {
    ...present,
    ...change,
    version,
    readme: `${readme.trimEnd()}\n\n## What's new in ${version}\n\n${news}\n`,
  }
  return { manifest: JSON.stringify(manifest), module: await readModule(skillsFolder, skill, version) }
}

/** The module of one version of an example skill. */
export async function readModule(skillsFolder: string, skill: string, version: string): Promise<Uint8Array> {
  const module = await readFile(join(skillsFolder, skill, `${skill}.wasm`))
  return Buffer.concat([module, versionSection(version)])
}

/** A custom section that holds the version, like those that build tools add; it does not change what runs. */
function versionSection(version: string): Buffer {
  const name = Buffer.from('version')
  const text = Buffer.from(version)
  // Both lengths are below 128, so each is one byte of LEB128.
  return Buffer.concat([Buffer.from([0, 1 + name.length + text.length, name.length]), name, text])
}
