import { ownNameRoutes, ownerRoutes } from '../../shared/contracts/owners.ts'
import type { Owner, OwnerOffer } from '../../shared/contracts/owners.ts'
import { ClientError, usageError } from '../client-error.ts'
import type { Command, Options, Result } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readOffset } from '../read-offset.ts'
import type { Registry } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { texts } from './commands.texts.ts'

interface Action {
  arguments: readonly [min: number, max: number]
  run(registry: Registry, args: readonly string[], options: Options): Promise<Result>
}

const actions: ReadonlyMap<string, Action> = new Map([
  [
    'list',
    {
      arguments: [0, 1],
      run: (registry, [name], options) =>
        name === undefined
          ? listNames(registry, readOffset(options.text('offset')))
          : listOwners(registry, name),
    },
  ],
  ['offer', { arguments: [2, 2], run: offer }],
  ['accept', { arguments: [1, 1], run: (registry, [name = '']) => answer(registry, name, 'accepted') }],
  ['decline', { arguments: [1, 1], run: (registry, [name = '']) => answer(registry, name, 'declined') }],
  ['withdraw', { arguments: [1, 1], run: withdraw }],
  ['leave', { arguments: [1, 1], run: leave }],
])

/** Lists the owners of names, and adds, transfers and ends ownership. */
export const ownerCommand: Command = {
  name: 'owner',
  summary: 'Share or transfer a name that you own, and answer offers',
  usage: ['list|offer|accept|decline|withdraw|leave …'],
  about: `Every owner of a name can publish releases of it.

  list [NAME]          List the owners of a skill; without NAME, your names and the offers to you
  offer NAME PERSON    Offer a person co-ownership; they have 7 days to accept
  accept NAME          Accept an offer
  decline NAME         Decline an offer
  withdraw OFFER       Withdraw an offer by its number in the list
  leave NAME           Stop being an owner; another owner must remain`,
  options: {
    transfer: { type: 'boolean', help: 'offer: you stop being an owner when the person accepts' },
    offset: { type: 'string', value: 'N', help: 'list: skip the first N names' },
  },
  notes: `Except for list, this needs a token with all of your permissions: the token of skill login can only publish. Set
SKILL_TOKEN for one command, or use the desk (My releases, Names and owners).

PERSON is a sign-in name, or an id such as id:7, which the page of a publisher has in its address.

  skill owner list csv-to-json
  skill owner offer csv-to-json mira
  skill owner accept csv-to-json`,
  arguments: [[...actions.keys()]],
  positionals: { min: 1, max: 3 },
  run(context, [name = '', ...args], options) {
    const action = actions.get(name)
    if (action === undefined) throw usageError(texts.owner.noAction([...actions.keys()]))
    const [min, max] = action.arguments
    if (args.length < min || args.length > max) throw usageError(texts.owner.wrongArguments(name))
    return action.run(context.registry(), args, options)
  },
}

/** `Mira, Noor` */
export const ownerNames = (owners: readonly Owner[]): string =>
  owners.length === 0 ? texts.owner.nobody : owners.map(({ publisher }) => plainLine(publisher)).join(', ')

async function listOwners(registry: Registry, name: string): Promise<Result> {
  const { items } = await registry.call(ownerRoutes.listOwners, { params: { name } })
  return {
    data: { name, owners: items },
    print: (terminal) => terminal.line(texts.owner.owners(name, ownerNames(items))),
  }
}

async function listNames(registry: Registry, offset: number): Promise<Result> {
  const { items, total, received } = await registry.call(ownNameRoutes.listOwnNames, { query: { offset } })
  const next = offset + items.length
  const isMore = items.length > 0 && next < total
  return {
    data: { items, total, received, nextOffset: isMore ? next : null },
    print(terminal) {
      const rows = items.map(({ name, owners, latest }) => [
        plainLine(name),
        ownerNames(owners),
        latest === null
          ? ''
          : texts.owner.latest(plainLine(latest.version), latest.status, plainLine(latest.publisher)),
      ])
      if (rows.length === 0) terminal.line(texts.owner.none)
      else terminal.table(texts.owner.columns, rows)
      if (isMore) terminal.note(texts.owner.more(next))
      printOffers(
        terminal,
        texts.owner.open,
        items.flatMap(({ offers }) => offers),
      )
      printOffers(terminal, texts.owner.received, received)
    },
  }
}

function printOffers(terminal: Terminal, title: string, offers: readonly OwnerOffer[]): void {
  if (offers.length === 0) return
  terminal.line()
  terminal.line(terminal.style('bold', title))
  for (const { id, kind, name, from, to, expiresAt } of offers) {
    const people = [plainLine(from.publisher), plainLine(to.publisher)] as const
    terminal.line(`  ${texts.owner.offer(id, kind, plainLine(name), people, expiresAt.slice(0, 10))}`)
  }
}

async function offer(
  registry: Registry,
  [name = '', to = '']: readonly string[],
  options: Options,
): Promise<Result> {
  const kind = options.flag('transfer') ? 'transfer' : 'co-owner'
  const made = await registry.call(ownNameRoutes.offerOwnership, { params: { name }, body: { kind, to } })
  const { offered, toAccept } = texts.owner
  return {
    data: { offer: made },
    print(terminal) {
      terminal.line(offered(kind, name, plainLine(made.to.publisher), made.expiresAt.slice(0, 10)))
      terminal.note(toAccept(name))
    },
  }
}

/** A person has at most one open offer of a name. */
async function answer(registry: Registry, name: string, given: 'accepted' | 'declined'): Promise<Result> {
  const { received } = await registry.call(ownNameRoutes.listOwnNames, { query: { offset: 0 } })
  const open = received.find((one) => one.name === name)
  if (open === undefined) {
    throw new ClientError(exitCodes.notFound, texts.owner.noOffer(name), { code: 'NOT_FOUND' })
  }
  await registry.call(ownNameRoutes.answerOffer, { params: { id: open.id }, body: { answer: given } })
  return done(name, given)
}

async function withdraw(registry: Registry, [id = '']: readonly string[]): Promise<Result> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw usageError(texts.owner.wrongArguments('withdraw'))
  await registry.call(ownNameRoutes.answerOffer, {
    params: { id: Number(id) },
    body: { answer: 'withdrawn' },
  })
  return done(id, 'withdrawn')
}

async function leave(registry: Registry, [name = '']: readonly string[]): Promise<Result> {
  await registry.call(ownNameRoutes.leaveName, { params: { name } })
  return done(name, 'left')
}

const done = (what: string, outcome: keyof typeof texts.owner.done): Result => ({
  data: { done: outcome },
  print: (terminal) => terminal.line(texts.owner.done[outcome](what)),
})
