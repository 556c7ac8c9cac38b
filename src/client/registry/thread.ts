import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { threadRoutes } from '../../shared/contracts/thread.ts'
import type { Message, MessageAbout, Thread } from '../../shared/contracts/thread.ts'
import type { Registry } from './registry.ts'
import { texts } from './registry.texts.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The conversation about the user's release; null if nobody has asked anything. */
export async function findThread(registry: Registry, release: OwnRelease): Promise<Thread | null> {
  const { name, version, thread } = release
  return thread === null ? null : registry.call(threadRoutes.getOwnThread, { params: { name, version } })
}

/** Prints every message, oldest first. */
export function showThread(terminal: Terminal, { messages }: Thread): void {
  terminal.line()
  terminal.line(terminal.style('bold', texts.thread.title))
  for (const message of messages) {
    terminal.line(`  ${terminal.style('dim', headOf(message))}`)
    for (const line of plain(message.text).split('\n')) terminal.line(`    ${line}`)
  }
}

function headOf({ kind, by, at, requestsChanges, about }: Message): string {
  const head = texts.thread[requestsChanges ? 'changes' : kind](plainLine(by), at)
  return about === null ? head : `${head}, ${aboutText(about)}`
}

function aboutText(about: MessageAbout): string {
  if (about.kind === 'finding') return texts.thread.finding(plainLine(about.check), plainLine(about.title))
  return texts.thread.function(about.index, about.name === null ? null : plainLine(about.name))
}
