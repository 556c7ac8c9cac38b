import type { z } from 'zod'
import type { ErrorIssue } from './errors.ts'
import { texts } from './validation.texts.ts'

/** Maximum issues reported for one input. */
const maxIssues = 20

/** Converts a Zod error to the issues of an ErrorResponse. `path` is dotted, such as `examples.0.input`. */
export function toIssues(error: z.ZodError, root = ''): ErrorIssue[] {
  const found: ErrorIssue[] = []
  for (const issue of error.issues) {
    const place = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        found.push({ path: dotted(root, [...place, key]), message: texts.unknownField })
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
  if (first === undefined) return texts.invalid
  const more = issues.length - 1
  const rest = more === 0 ? '' : ` ${texts.more(more)}`
  return `${first.path === '' ? '' : `${first.path} `}${first.message}${rest}`
}

function dotted(root: string, place: readonly string[]): string {
  return [...(root === '' ? [] : [root]), ...place].join('.')
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? texts.missing : texts.type(issue.expected)
    case 'too_small':
      return texts.size(issue.origin, 'least', issue.minimum)
    case 'too_big':
      return texts.size(issue.origin, 'most', issue.maximum)
    case 'invalid_value':
      return issue.values.length === 1
        ? texts.value(JSON.stringify(issue.values[0]))
        : texts.oneOf(issue.values.map((value) => String(value)))
    default:
      return issue.message
  }
}
