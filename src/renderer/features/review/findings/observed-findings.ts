import { useQuery } from '@tanstack/react-query'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { Finding } from '../../../../shared/contracts/findings.ts'
import type { ListedFinding } from './findings-list.ts'

type Observable = Pick<DeskRelease, 'id' | 'manifest' | 'size' | 'module' | 'checks'>

/** The findings of the checks that need test runs, applied to the runs in this browser. */
export function useObservedFindings(release: Observable, observation: Observation | null): ListedFinding[] {
  const { data } = useQuery({
    queryKey: ['observed-findings', release.id, observation],
    enabled: observation !== null,
    staleTime: Infinity,
    queryFn: () => findObserved(release, observation),
  })
  if (data === undefined || observation === null) return []
  const stored = release.checks?.observed ?? []
  return data.map((finding) => ({
    ...finding,
    judgement: stored.find(({ fingerprint }) => fingerprint === finding.fingerprint)?.judgement ?? null,
    seenAt: observation.ranAt,
  }))
}

async function findObserved(
  { manifest, size, module }: Observable,
  observation: Observation | null,
): Promise<Finding[]> {
  if (observation === null) return []
  // Loaded after the first test run, not with the desk.
  const { runChecksOn } = await import('../../../../shared/findings/run-checks.ts')
  const { runs } = observation
  return runChecksOn({ manifest, size, module, scan: null, problem: null, registry: null, runs }, 'runs')
}
