import { readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { ErrorIssue } from '../../shared/errors.ts'
import { isLoopback } from '../../shared/settings.ts'
import { codeOf } from '../../shared/errors.ts'
import { CertificateError, certificateEnd, checkCertificate } from '../http/certificate.ts'
import { findReachProblems, findRemoteDeskProblems } from './settings.ts'
import type { ReachProblem, RemoteDeskProblem, Settings } from './settings.ts'
import { texts } from './settings.texts.ts'

const everyAddress = new Set(['0.0.0.0', '::'])

/** Conflicts between settings that are valid on their own, as messages for the desk. */
export function findConflicts(
  next: Settings,
  now: Pick<Settings, 'tlsCert' | 'tlsKey' | 'workspace'>,
): ErrorIssue[] {
  const issues = findReachProblems(next).map((problem) => toIssue(problem, next))
  issues.push(...findRemoteDeskProblems(next).map((problem) => remoteDeskIssues[problem]))
  const meets = isLoopback(next.host) || everyAddress.has(next.host)
  if (next.port !== 0 && next.port === next.dashboardPort && meets) {
    issues.push({ path: 'port', message: texts.issues.localPort })
  }
  const isNewCertificate = next.tlsCert !== now.tlsCert || next.tlsKey !== now.tlsKey
  if (isNewCertificate && next.tlsCert !== null && next.tlsKey !== null) {
    issues.push(...checkFiles({ cert: next.tlsCert, key: next.tlsKey }))
  }
  if (next.workspace !== null && next.workspace !== now.workspace) {
    const problem = workspaceProblem(next.workspace)
    if (problem !== null) issues.push({ path: 'workspace', message: problem })
  }
  return issues
}

/** The folder may be missing, since the project may be created later; otherwise it must be readable. */
function workspaceProblem(path: string): string | null {
  if (!isAbsolute(path)) return texts.issues.relativePath
  try {
    readdirSync(path)
    return null
  } catch (error) {
    const code = codeOf(error) ?? String(error)
    if (code === 'ENOENT') return null
    return code === 'ENOTDIR' ? texts.issues.noFolder : texts.issues.unreadable(code)
  }
}

const conflicts: Record<ReachProblem, ErrorIssue> = {
  'incomplete certificate': { path: 'tlsKey', message: texts.issues.incompleteCertificate },
  'no HTTPS URL': { path: 'publicUrl', message: texts.issues.needsHttps },
  unencrypted: { path: 'host', message: texts.issues.unencrypted },
  'no public URL': { path: 'publicUrl', message: texts.issues.noPublicUrl },
}

const remoteDeskIssues: Record<RemoteDeskProblem, ErrorIssue> = {
  unencrypted: { path: 'desk.remote', message: texts.issues.unencrypted },
  'no HTTPS address': { path: 'publicUrl', message: texts.issues.noHttpsAddress },
}

function toIssue(problem: ReachProblem, settings: Settings): ErrorIssue {
  const issue = conflicts[problem]
  return problem === 'incomplete certificate' && settings.tlsCert === null
    ? { ...issue, path: 'tlsCert' }
    : issue
}

function checkFiles(files: { cert: string; key: string }): ErrorIssue[] {
  try {
    checkCertificate(files)
    const end = certificateEnd(files)
    if (end.getTime() > Date.now()) return []
    const day = end.toISOString().slice(0, 10)
    return [{ path: 'tlsCert', message: texts.issues.expired(day) }]
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return [{ path: error.part === 'cert' ? 'tlsCert' : 'tlsKey', message: error.reason }]
  }
}
