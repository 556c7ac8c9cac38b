// The checks of the agent runtime's client, written by hand from the interface (sections 2.1 to 2.4).
// They share no code with ours, so that a wrong assumption of ours cannot make them agree.

/** A release, as that client stores it. */
export interface RuntimeRelease {
  id: number
  name: string
  version: string
  manifest: RuntimeManifest
  sha256: string
  size: number
  status: string
  ownerId: number
  publisher: string
  createdAt: string
  reviewReason: string | null
}

export interface RuntimeManifest {
  name: string
  version: string
  description: string
  readme: string
  license: string
}

export interface RuntimeSubmission {
  id: number
  status: string
  name: string
  version: string
  sha256: string
}

/** The reason why the client rejects a response. */
export class Distrust extends Error {
  override readonly name = 'Distrust'
}

type Fields = Record<string, unknown>
/** Returns what is wrong with a value, or null. */
type Check = (value: unknown) => string | null

const lettersOf = (text: string): number => Array.from(text).length

const text =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'string' && lettersOf(value) >= min && lettersOf(value) <= max
      ? null
      : `is not a text of ${min} to ${max} characters`
const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
      ? null
      : `is not an integer from ${min} to ${max}`
const matching =
  (pattern: RegExp, max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max && pattern.test(value) ? null : 'has an invalid format'
const one =
  (...allowed: unknown[]): Check =>
  (value) =>
    allowed.includes(value) ? null : `is not ${allowed.join(' or ')}`

const name = matching(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 64)
const version = matching(/^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/, 32)
const digest = matching(/^[a-f0-9]{64}$/, 64)

const instant: Check = (value) => {
  const shape = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/
  const day = typeof value === 'string' ? shape.exec(value)?.[1] : undefined
  const time = Date.parse(String(value))
  const isReal = day !== undefined && !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day
  return isReal ? null : 'is not a UTC time'
}

/** Asserts that a value is an object with exactly these fields, each of which passes its check. */
function assertFields(value: unknown, checks: Record<string, Check>, what: string): asserts value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Distrust(`${what} is not an object`)
  }
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(checks, field))
  if (unknown !== undefined) throw new Distrust(`${what} has an unknown field: ${unknown}`)
  for (const [field, check] of Object.entries(checks)) {
    if (!Object.hasOwn(value, field)) throw new Distrust(`${what} lacks ${field}`)
    const wrong = check((value as Fields)[field])
    if (wrong !== null) throw new Distrust(`${what}: ${field} ${wrong}`)
  }
}

const exampleChecks = { input: text(0, 2000), output: text(0, 2000) }
const manifestChecks: Record<string, Check> = {
  schemaVersion: one(1),
  name,
  version,
  description: text(10, 500),
  readme: text(20, 20_000),
  inputs: text(10, 2000),
  outputs: text(10, 2000),
  examples: (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= 3 ? null : 'must be one to three',
  license: text(1, 100),
  category: one('Validators', 'Parsers', 'Transformers', 'Calculators', 'Data', 'Other'),
  runtime: one('wasip1-command'),
  entrypoint: one('_start'),
  pricing: one('free'),
}
const releaseChecks: Record<string, Check> = {
  id: whole(1, Number.MAX_SAFE_INTEGER),
  name,
  version,
  manifest: () => null,
  sha256: digest,
  size: whole(8, 16_777_216),
  status: one('pending', 'approved', 'rejected', 'revoked'),
  ownerId: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  publisher: (value) => (typeof value === 'string' ? null : 'is not a string'),
  createdAt: instant,
  reviewReason: (value) => (value === null || typeof value === 'string' ? null : 'is neither text nor null'),
}

export function readManifest(value: unknown): RuntimeManifest {
  assertFields(value, manifestChecks, 'The manifest')
  for (const example of value['examples'] as unknown[]) assertFields(example, exampleChecks, 'An example')
  return value as unknown as RuntimeManifest
}

/** Reads a RegistryVersion, whose manifest must have the same name and version. */
export function readRelease(value: unknown): RuntimeRelease {
  assertFields(value, releaseChecks, 'The release')
  const manifest = readManifest(value['manifest'])
  if (manifest.name !== value['name'])
    throw new Distrust('The manifest has a different name than the release')
  if (manifest.version !== value['version']) {
    throw new Distrust('The manifest has a different version than the release')
  }
  return value as unknown as RuntimeRelease
}

/** Reads the requested release, which must be approved. */
export function readAskedRelease(
  value: unknown,
  asked: { name: string; version?: string | undefined },
): RuntimeRelease {
  const release = readRelease(value)
  if (release.name !== asked.name) throw new Distrust(`The release is ${release.name}, not ${asked.name}`)
  if (asked.version !== undefined && release.version !== asked.version) {
    throw new Distrust(`The release is ${release.version}, not ${asked.version}`)
  }
  if (release.status !== 'approved') throw new Distrust(`The release is ${release.status}, not approved`)
  return release
}

/** Reads a RegistryList of at most 50 releases. */
export function readList(value: unknown): RuntimeRelease[] {
  assertFields(value, { items: (items) => (Array.isArray(items) ? null : 'is not a list') }, 'The list')
  const items = value['items'] as unknown[]
  if (items.length > 50) throw new Distrust(`The list has ${items.length} items`)
  return items.map(readRelease)
}

/** Reads the RegistrySubmission for the sent release. */
export function readSubmission(
  value: unknown,
  sent: { name: string; version: string; sha256: string },
): RuntimeSubmission {
  const checks = {
    id: whole(1, Number.MAX_SAFE_INTEGER),
    status: one('pending'),
    name,
    version,
    sha256: digest,
  }
  assertFields(value, checks, 'The submission')
  for (const field of ['name', 'version', 'sha256'] as const) {
    if (value[field] !== sent[field])
      throw new Distrust(`The submission has a different ${field} than was sent`)
  }
  return value as unknown as RuntimeSubmission
}
