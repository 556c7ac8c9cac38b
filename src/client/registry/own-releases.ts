import { maxOffset } from '../../shared/contracts/common.ts'
import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { pageSize } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { formatInteger } from '../../shared/text.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { nameOf } from './registry.ts'
import type { Registry, ReleaseName } from './registry.ts'
import { texts } from './registry.texts.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The newest release of the user or their names that matches, or null. Reads only as many pages as needed. */
export async function findOwnRelease(
  registry: Registry,
  isMatch: (release: OwnRelease) => boolean,
): Promise<OwnRelease | null> {
  for (let offset = 0; offset <= maxOffset; offset += pageSize) {
    const { items, total } = await registry.call(skilldockRoutes.listOwnSubmissions, { query: { offset } })
    const found = items.find(isMatch)
    if (found !== undefined) return found
    if (items.length === 0 || offset + items.length >= total) break
  }
  return null
}

/** The user's newest release, or the newest of a name that they own, or the given version. Throws if it does not exist. */
export async function getOwnRelease(registry: Registry, requested: ReleaseName | null): Promise<OwnRelease> {
  const found = await findOwnRelease(registry, ({ name, version, submittedBy }) =>
    requested === null
      ? submittedBy === null
      : name === requested.name && (requested.version ?? version) === version,
  )
  if (found !== null) return found
  const release = requested === null ? null : nameOf(requested)
  throw new ClientError(exitCodes.notFound, texts.release.notOwn(release, registry.address.host), {
    code: 'NOT_FOUND',
  })
}

/** `pending, #3 of 7 in queue, 1 of 2 approvals, changes requested`, `approved`. */
export function statusText({ status, place, waiting, firstApproval, thread }: OwnRelease): string {
  if (place === null) return status
  const queued = texts.release.inQueue(status, formatInteger(place), formatInteger(waiting))
  const approved = firstApproval === undefined ? queued : texts.release.firstApproved(queued)
  return thread?.changesRequested === true ? texts.release.changesRequested(approved) : approved
}

/** `2026-01-01`, `2026-01-01 by Noor` */
export const submittedText = (at: string, by: string | null): string =>
  by === null ? at : texts.release.submittedBy(at, plainLine(by))

/** Prints the reason of the decision, if there is one. */
export function showReason(terminal: Terminal, { reviewReason }: OwnRelease): void {
  if (reviewReason === null) return
  terminal.line()
  terminal.line(terminal.style('bold', texts.release.reason))
  for (const line of plain(reviewReason).split('\n')) terminal.line(`  ${line}`)
}

export function titleOf(terminal: Terminal, release: OwnRelease): string {
  const color = { pending: 'yellow', approved: 'green', rejected: 'red', revoked: 'red' } as const
  return [
    terminal.style('bold', `${plainLine(release.name)} ${plainLine(release.version)}`),
    terminal.style(color[release.status], statusText(release)),
  ].join('  ')
}
