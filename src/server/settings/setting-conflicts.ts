import { readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { ErrorIssue } from '../../shared/errors.ts'
import { isLoopback } from '../../shared/settings.ts'
import { CertificateError, certificateEnd, checkCertificate } from '../http/certificate.ts'
import { findReachProblems } from './settings.ts'
import type { ReachProblem, Settings } from './settings.ts'

const everyAddress = new Set(['0.0.0.0', '::'])

/** What keeps settings that are each good from being used together, in the words of the desk. */
export function findConflicts(
  next: Settings,
  now: Pick<Settings, 'tlsCert' | 'tlsKey' | 'workspace'>,
): ErrorIssue[] {
  const issues = findReachProblems(next).map((problem) => inWords(problem, next))
  const meets = isLoopback(next.host) || everyAddress.has(next.host)
  if (next.port !== 0 && next.port === next.dashboardPort && meets) {
    issues.push({ path: 'port', message: 'is the port of the desk; the two services need one each' })
  }
  const isOther = next.tlsCert !== now.tlsCert || next.tlsKey !== now.tlsKey
  if (isOther && next.tlsCert !== null && next.tlsKey !== null) {
    issues.push(...checkFiles({ cert: next.tlsCert, key: next.tlsKey }))
  }
  if (next.tlsCert !== null && next.trustProxy.length === 0 && next.publicUrl?.startsWith('http:') === true) {
    issues.push({ path: 'publicUrl', message: 'must start with https://, as the registry has a certificate' })
  }
  if (next.workspace !== null && next.workspace !== now.workspace) {
    const problem = workspaceProblem(next.workspace)
    if (problem !== null) issues.push({ path: 'workspace', message: problem })
  }
  return issues
}

/** A project that is not there yet may come; anything else than a folder that can be read may not. */
function workspaceProblem(path: string): string | null {
  if (!isAbsolute(path)) return 'must be a full path'
  try {
    readdirSync(path)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ENOENT') return null
    return code === 'ENOTDIR' ? 'is no folder' : `cannot be read (${code})`
  }
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
