import type { Declaration } from './command.ts'
import { exitCodeMeanings } from './exit-codes.ts'

/** `skilldock --help` */
export function overview(commands: readonly Declaration[]): string {
  const listed = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['help', 'This page; "skilldock help COMMAND" tells all about one command'] as const,
  ]
  return `Skilldock: a registry of free WASI command modules with manual review.

Usage: skilldock COMMAND [options]        here: npm run -s skilldock -- COMMAND [options]
       skilldock --version

Commands
${rows(listed, 9)}

Settings come from the environment or from settings.json in the data folder:
  SKILLDOCK_DATA               the data folder (default: ~/.local/share/skilldock)
  SKILLDOCK_HOST               address of the registry (default: 127.0.0.1)
  SKILLDOCK_PORT               port of the registry (default: 4280; 0 takes any free port)
  SKILLDOCK_DASHBOARD_PORT     port of the dashboard, always on 127.0.0.1 (default: 4200)
  SKILLDOCK_WORKSPACE          the agent project that the dashboard shows; it need not be there yet
  SKILLDOCK_PUBLIC_URL         the address that others use, where it is another one
  SKILLDOCK_TLS_CERT, _TLS_KEY PEM files; the registry then speaks HTTPS
  SKILLDOCK_TRUST_PROXY        addresses of proxies whose X-Forwarded headers are believed
  SKILLDOCK_UPDATE_URL         where the app looks for new versions of itself (default: nowhere)
  SKILLDOCK_REVIEW_SELF_APPROVAL
                               whether administrators may approve their own releases: allowed (default) or never;
                               "review.selfApproval" in settings.json
  SKILLDOCK_DAILY_SUBMISSIONS  submissions per developer in 24 hours (default: 10)
  SKILLDOCK_PUBLISH_CONCURRENCY, SKILLDOCK_DOWNLOAD_CONCURRENCY
                               requests of a kind at once (default: 8 and 64)
  SKILLDOCK_READY_FILE         is written when both services accept requests

Exit status
${rows(Object.entries(exitCodeMeanings), 2)}
`
}

/** `skilldock NAME --help` */
export function commandHelp({ name, usage, options, about, notes }: Declaration): string {
  const forms = usage.map((form) => `skilldock ${name} ${form}`.trim())
  const described = Object.entries(options).map(
    ([option, { value, help, default: standard }]) =>
      [
        value === undefined ? `--${option}` : `--${option} ${value}`,
        standard === undefined ? help : `${help} (default: ${standard})`,
      ] as const,
  )
  const width = Math.max(0, ...described.map(([option]) => option.length)) + 1
  const sections = [
    `Usage: ${forms.join('\n       ')}`,
    about.trim(),
    ...(described.length === 0 ? [] : [`Options\n${rows(described, width)}`]),
    ...(notes === undefined ? [] : [notes.trim()]),
  ]
  return `${sections.join('\n\n')}\n`
}

const rows = (entries: readonly (readonly [string, string])[], width: number): string =>
  entries.map(([head, text]) => `  ${head.padEnd(width)} ${text}`).join('\n')
