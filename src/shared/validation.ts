import type { z } from 'zod'
import type { ErrorIssue } from './errors.ts'

/** Maximum issues reported for one input. */
const maxIssues = 20

/** Converts a Zod error to the issues of an ErrorResponse. `path` is dotted, such as `examples.0.input`. */
export function toIssues(error: z.ZodError, root = ''): ErrorIssue[] {
  const found: ErrorIssue[] = []
  for (const issue of error.issues) {
    const place = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        found.push({ path: dotted(root, [...place, key]), message: 'is not a known field; remove it' })
      }
    } else {
      found.push({ path: dotted(root, place), message: sentence(issue) })
    }
  }
  return found.slice(0, maxIssues)
}

/** The first issue and how many more there are, for clients that show only one sentence. */
export function summarize(issues: readonly ErrorIssue[]): string {
  const first = issues[0]
  if (first === undefined) return 'is invalid'
  const more = issues.length - 1
  const rest = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'problem' : 'problems'})`
  return `${first.path === '' ? '' : `${first.path} `}${first.message}${rest}`
}

function dotted(root: string, place: readonly string[]): string {
  return [...(root === '' ? [] : [root]), ...place].join('.')
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${article(issue.expected)}`
    case 'too_small':
      return `must ${amount(issue.origin, 'least', issue.minimum)}`
    case 'too_big':
      return `must ${amount(issue.origin, 'most', issue.maximum)}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map((value) => String(value)).join(', ')}`
    default:
      return issue.message
  }
}

function article(type: string): string {
  const word = type === 'int' ? 'whole number' : type === 'record' ? 'object' : type
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}

function amount(origin: string, end: 'least' | 'most', limit: number | bigint): string {
  const one = Number(limit) === 1
  if (origin === 'string') return `have at ${end} ${limit} ${one ? 'character' : 'characters'}`
  if (origin === 'array') return `have at ${end} ${limit} ${one ? 'item' : 'items'}`
  return `be at ${end} ${limit}`
}
