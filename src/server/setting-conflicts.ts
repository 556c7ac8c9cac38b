import type { ErrorIssue } from '../shared/errors.ts'
import { CertificateError, certificateEnd, checkCertificate } from './http/certificate.ts'
import { findReachProblems, isLoopback } from './settings.ts'
import type { ReachProblem, Settings } from './settings.ts'

const everyAddress = new Set(['0.0.0.0', '::'])

/** What keeps settings that are each good from being used together, in the words of the desk. */
export function findConflicts(next: Settings, now: Pick<Settings, 'tlsCert' | 'tlsKey'>): ErrorIssue[] {
  const issues = findReachProblems(next).map((problem) => inWords(problem, next))
  const meets = isLoopback(next.host) || everyAddress.has(next.host)
  if (next.port !== 0 && next.port === next.dashboardPort && meets) {
    issues.push({ path: 'port', message: 'is the port of the desk; the two services need one each' })
  }
  const isOther = next.tlsCert !== now.tlsCert || next.tlsKey !== now.tlsKey
  if (isOther && next.tlsCert !== null && next.tlsKey !== null) {
    issues.push(...checkFiles({ cert: next.tlsCert, key: next.tlsKey }))
  }
  return issues
}

const conflicts: Record<ReachProblem, ErrorIssue> = {
  'half a certificate': {
    path: 'tlsKey',
    message: 'is missing: a certificate and its key belong together; give both or neither',
  },
  unprotected: {
    path: 'host',
    message:
      'would let tokens cross the network unprotected; give a certificate with its key, or name the proxy that ' +
      'holds the certificate',
  },
  'no address': { path: 'publicUrl', message: 'is missing: others need an address to reach the registry by' },
}

function inWords(problem: ReachProblem, settings: Settings): ErrorIssue {
  const issue = conflicts[problem]
  return problem === 'half a certificate' && settings.tlsCert === null ? { ...issue, path: 'tlsCert' } : issue
}

function checkFiles(files: { cert: string; key: string }): ErrorIssue[] {
  try {
    checkCertificate(files)
    const end = certificateEnd(files)
    if (end.getTime() > Date.now()) return []
    const day = end.toISOString().slice(0, 10)
    return [{ path: 'tlsCert', message: `has ended on ${day}; clients refuse it. Get a new one` }]
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return [{ path: error.part === 'cert' ? 'tlsCert' : 'tlsKey', message: error.reason }]
  }
}
