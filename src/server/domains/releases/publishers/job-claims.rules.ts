import type { Provenance } from '../../../../shared/contracts/evidence.ts'
import type { JobIdentity } from '../../../../shared/contracts/trusted-publishers.ts'

/** The verified claims of an identity token. */
export type JobClaims = Readonly<Record<string, unknown>>

/** What a claim must be, or begin with. */
interface Requirement {
  claim: string
  value: string
  isPrefix?: true
}

/** Claims that identify a repository and its owner even after another one has taken over their names. */
const immutableIds = {
  github: ['repository_id', 'repository_owner_id'],
  gitlab: ['project_id', 'namespace_id'],
  openid: [],
} as const satisfies Record<JobIdentity['provider'], readonly string[]>

/** The claims that provenance is read from. */
const provenanceClaims = {
  github: { repository: 'repository', workflow: 'workflow_ref', run: 'run_id' },
  gitlab: { repository: 'project_path', workflow: 'ci_config_ref_uri', run: 'pipeline_id' },
  openid: { repository: 'repository', workflow: 'workflow', run: 'run_id' },
} as const satisfies Record<JobIdentity['provider'], object>

function requirementsOf(identity: JobIdentity): Requirement[] {
  const equal = (claim: string, value: string | undefined): Requirement[] =>
    value === undefined ? [] : [{ claim, value }]
  if (identity.provider === 'github') {
    const { repository, workflow, environment } = identity
    const value = `${repository}/.github/workflows/${workflow}@`
    return [
      ...equal('repository', repository),
      // The first is the workflow that was started, the second the one with the job, which it may have called. If only
      // one counted, either any workflow could call this one, or this one could be replaced by what it calls.
      { claim: 'workflow_ref', value, isPrefix: true },
      { claim: 'job_workflow_ref', value, isPrefix: true },
      ...equal('environment', environment),
    ]
  }
  if (identity.provider === 'gitlab') {
    const { project, branch, environment } = identity
    return [
      ...equal('project_path', project),
      ...(branch === undefined ? [] : [...equal('ref', branch), ...equal('ref_type', 'branch')]),
      ...equal('environment', environment),
    ]
  }
  return [
    ...equal('sub', identity.subject),
    ...Object.entries(identity.claims ?? {}).flatMap(([claim, value]) => equal(claim, value)),
  ]
}

/** Providers send ids and flags as strings, as numbers or as booleans. */
function textOf(claims: JobClaims, claim: string): string | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null
}

/** A job's claim that differs from what is required of it; null if the token does not have it. */
type Difference = readonly [claim: string, found: string | null]

/** The claims in which a verified token differs from a trusted publisher: none if the job may publish. */
export function differencesOf(
  identity: JobIdentity,
  pins: Readonly<Record<string, string>> | null,
  audience: string,
  claims: JobClaims,
): Difference[] {
  const pinned = Object.entries(pins ?? {}).map(([claim, value]): Requirement => ({ claim, value }))
  const differences = [...requirementsOf(identity), ...pinned]
    .map(({ claim, value, isPrefix }) => ({ claim, value, isPrefix, found: textOf(claims, claim) }))
    .filter(({ value, isPrefix, found }) =>
      isPrefix === true ? found?.startsWith(value) !== true : found !== value,
    )
    .map(({ claim, found }): Difference => [claim, found])
  const hasAudience = [claims['aud']].flat().includes(audience)
  return hasAudience ? differences : [['aud', textOf(claims, 'aud')], ...differences]
}

/** The immutable ids of a token, which later tokens must have as well. */
export function pinsOf({ provider }: JobIdentity, claims: JobClaims): Record<string, string> {
  const found = immutableIds[provider].map((claim) => [claim, textOf(claims, claim)] as const)
  return Object.fromEntries(found.filter((pin): pin is [(typeof pin)[0], string] => pin[1] !== null))
}

/** What is recorded of a token. Values that could not be shown are left out. */
export function provenanceOf({ provider, issuer }: JobIdentity, claims: JobClaims): Provenance {
  const read = (claim: string): string | null => {
    const text = textOf(claims, claim)
    return text !== null && /^[^\p{Cc}\p{Cs}]{1,300}$/u.test(text) ? text : null
  }
  const { repository, workflow, run } = provenanceClaims[provider]
  return {
    issuer,
    subject: read('sub') ?? '',
    repository: read(repository),
    workflow: read(workflow),
    ref: read('ref'),
    commit: read('sha'),
    run: read(run),
  }
}
