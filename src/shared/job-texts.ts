import type { Provenance } from './contracts/evidence.ts'
import { defaultIssuers } from './contracts/trusted-publishers.ts'
import type { JobIdentity } from './contracts/trusted-publishers.ts'

/** `GitHub octo/csv-to-json, release.yml, environment release` */
export function jobIdentityText(identity: JobIdentity): string {
  const { provider, issuer } = identity
  const parts =
    provider === 'github'
      ? [`GitHub ${identity.repository}`, identity.workflow]
      : provider === 'gitlab'
        ? [`GitLab ${identity.project}`, identity.branch && `branch ${identity.branch}`]
        : [
            identity.subject,
            identity.audience && `audience ${identity.audience}`,
            ...Object.entries(identity.claims ?? {}).map(([claim, value]) => `${claim} ${value}`),
          ]
  const environment = provider === 'openid' ? undefined : identity.environment
  return [
    ...parts,
    environment && `environment ${environment}`,
    defaultIssuers.includes(issuer) ? undefined : `issuer ${issuer}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

/** `octo/csv-to-json, commit 0123456789ab, .github/workflows/release.yml@refs/heads/main` */
export function provenanceText({ issuer, subject, repository, workflow, commit }: Provenance): string {
  return [
    repository ?? `${subject} of ${issuer}`,
    commit === null ? null : `commit ${commit.slice(0, 12)}`,
    workflow?.startsWith(`${repository}/`) === true ? workflow.slice(`${repository}/`.length) : workflow,
  ]
    .filter((part) => part !== null)
    .join(', ')
}
