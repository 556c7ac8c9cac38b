import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { pageSize } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { inDigits } from '../../shared/findings/check.ts'
import type { Registry } from './registry.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

const mostOffset = 100_000

/** The newest of the own releases that is meant; null where there is none. Reads no page more than it must. */
export async function findOwnRelease(
  registry: Registry,
  isMeant: (release: OwnRelease) => boolean,
): Promise<OwnRelease | null> {
  for (let offset = 0; offset <= mostOffset; offset += pageSize) {
    // oxlint-disable-next-line no-await-in-loop
    const { items, total } = await registry.call(skilldockRoutes.listOwnSubmissions, { query: { offset } })
    const found = items.find(isMeant)
    if (found !== undefined) return found
    if (items.length === 0 || offset + items.length >= total) break
  }
  return null
}

/** `pending, 3rd of 7 in line`, `approved`. */
export function stateWords({ status, place, waiting }: OwnRelease): string {
  return place === null ? status : `${status}, ${ordinal(place)} of ${inDigits(waiting)} in line`
}

/** `1st`, `22nd`, `113th`. */
function ordinal(value: number): string {
  const tens = value % 100
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${inDigits(value)}${ending}`
}

/** What the reviewer has written, line by line; nothing while there is nothing. */
export function showReason(terminal: Terminal, { reviewReason }: OwnRelease): void {
  if (reviewReason === null) return
  terminal.line()
  terminal.line(terminal.style('bold', 'What the reviewer wrote'))
  for (const line of plain(reviewReason).split('\n')) terminal.line(`  ${line}`)
}

/** State, name and version in the order in which they are read first. */
export function titleOf(terminal: Terminal, release: OwnRelease): string {
  const color = { pending: 'yellow', approved: 'green', rejected: 'red', revoked: 'red' } as const
  return [
    terminal.style('bold', `${plainLine(release.name)} ${plainLine(release.version)}`),
    terminal.style(color[release.status], stateWords(release)),
  ].join('  ')
}
