import { useQuery } from '@tanstack/react-query'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { Finding } from '../../../../shared/contracts/findings.ts'
import type { ListedFinding } from './findings-list.ts'

type Observable = Pick<DeskRelease, 'id' | 'manifest' | 'size' | 'module' | 'checks'>

/** Findings that need to see the examples run, by the same checks, of what ran in this browser. */
export function useObservedFindings(release: Observable, observation: Observation | null): ListedFinding[] {
  const { data } = useQuery({
    queryKey: ['observed-findings', release.id, observation],
    enabled: observation !== null,
    staleTime: Infinity,
    queryFn: () => findObserved(release, observation),
  })
  if (data === undefined || observation === null) return []
  const standing = release.checks?.observed ?? []
  return data.map((finding) => ({
    ...finding,
    judgement: standing.find(({ fingerprint }) => fingerprint === finding.fingerprint)?.judgement ?? null,
    seenAt: observation.ranAt,
  }))
}

async function findObserved(
  { manifest, size, module }: Observable,
  observation: Observation | null,
): Promise<Finding[]> {
  if (observation === null) return []
  // The checks come when the first example has run, not with the desk.
  const { runChecksOn } = await import('../../../../shared/findings/run-checks.ts')
  const { runs } = observation
  return runChecksOn({ manifest, size, module, scan: null, problem: null, registry: null, runs }, 'runs')
}
