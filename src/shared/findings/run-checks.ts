import type { Finding, Severity } from '../contracts/findings.ts'
import { capabilityChecks } from './capability.checks.ts'
import { changeChecks } from './change.checks.ts'
import type { Check, CheckInput, Part } from './define-check.ts'
import { fingerprintOf } from './digest.ts'
import { dataChecks } from './data.checks.ts'
import { documentChecks } from './document.checks.ts'
import { exampleChecks } from './example.checks.ts'
import { executionChecks } from './execution.checks.ts'
import { identityChecks } from './identity.checks.ts'
import { licenseChecks } from './license.checks.ts'
import { moduleChecks } from './module.checks.ts'
import { textChecks } from './text.checks.ts'

/** All checks, in the order of their findings within a severity. docs/CHECKS.md lists them. */
export const CHECKS: readonly Check[] = [
  ...identityChecks,
  ...changeChecks,
  ...executionChecks,
  ...moduleChecks,
  ...capabilityChecks,
  ...dataChecks,
  ...textChecks,
  ...documentChecks,
  ...exampleChecks,
  ...licenseChecks,
]

/** Changes when a check is added, removed or revised. Pending releases are then checked again. */
export function checksVersion(checks: readonly Check[] = CHECKS): string {
  return checks === CHECKS ? (currentVersion ??= versionOf(CHECKS)) : versionOf(checks)
}

let currentVersion: string | null = null

function versionOf(checks: readonly Check[]): string {
  const parts = checks.flatMap(({ id, severity, revision }) => [id, severity, revision])
  return fingerprintOf('checks', parts).slice(0, 12)
}

/** Findings per release. More would not be read. */
const maxFindings = 60

// Not imported from the contract, because the server's process that checks releases starts without schemas.
const ranks: Record<Severity, number> = { error: 0, warning: 1, note: 2 }

/** Removes duplicates and sorts the most severe first. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings
    .filter(({ fingerprint }) => !seen.has(fingerprint) && seen.add(fingerprint))
    .toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
    .slice(0, maxFindings)
}

/** Runs every check whose parts are available. Pure, and takes a few milliseconds for the longest manifest. */
export function runChecks(input: CheckInput): Finding[] {
  return inOrder(CHECKS.flatMap((check) => check.find(input)))
}

/** Runs only the checks that need one of these parts, such as `runs` once the examples have been run. */
export function runChecksOn(input: CheckInput, ...parts: readonly Part[]): Finding[] {
  const chosen = CHECKS.filter(({ needs }) => parts.some((part) => needs.includes(part)))
  return inOrder(chosen.flatMap((check) => check.find(input)))
}
