import type { Provenance } from './contracts/evidence.ts'

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
