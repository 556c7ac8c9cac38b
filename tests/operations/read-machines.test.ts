import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { requireProgram, skipWithout } from '../support/programs.ts'
import type { Program } from '../support/programs.ts'
import { tokenHere } from '../support/server/command-here.ts'
import { builtEntry, cleanUp, projectRoot, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving, Variables } from '../support/server/command-line.ts'
import { createNetwork, mayCreateNetworks } from '../support/server/machines.ts'
import type { Machine } from '../support/server/machines.ts'
import { bucketName, startObjectStore } from '../support/server/object-store.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

// A registry on several machines with real addresses: an object store, one machine that writes, two that follow it, and
// Caddy in front of those two. Each is killed, suspended and cut off in turn, while clients ask for releases.

/** How long each fault lasts: longer than a machine may answer without news. */
const faultMs = 4500
/** All faults of all machines take about four minutes. */
const all = process.env['MACHINE_FAULTS'] === 'all'

const programs: Program[] = ['networks', 'versitygw', 'litestream', 'caddy', 'clang']
const isMissing = programs.some((program) => skipWithout(program)) || !mayCreateNetworks()

const roles = ['store', 'writer', 'first reader', 'second reader', 'proxy', 'standby'] as const
type Role = (typeof roles)[number]
type Answer = 'right' | 'unavailable' | 'wrong'
type Fault = 'kill' | 'suspend' | 'cut off'
interface Release {
  name: string
  id: number
  /** When its revocation was sent and acknowledged. */
  sentAt?: number
  revokedAt?: number
}

describe.skipIf(isMissing)(
  'several machines (needs network namespaces, needs versitygw and needs litestream)',
  () => {
    let network: ReturnType<typeof createNetwork>
    let machines: Record<Role, Machine>
    const addressOf = (role: Role): string =>
      `http://${machines[role].address}${role === 'proxy' ? '' : ':4280'}`
    const targets: Role[] = ['proxy', 'first reader', 'second reader']
    let folders: Record<Role, string>

    let variables: Variables
    let token: string
    let admin: string
    let module: Uint8Array
    let digest: string
    const started: Partial<Record<Role, Serving>> = {}
    const startServer = async (role: Role): Promise<void> => {
      const { address, entry } = machines[role]
      const { SKILLDOCK_DURABILITY: _, ...ofReader } = variables
      const own = { SKILLDOCK_HOST: address, SKILLDOCK_PORT: '4280', SKILLDOCK_DASHBOARD_PORT: '4281' }
      const follows = role.endsWith('reader')
      started[role] = await serve(
        folders[role],
        { ...(follows ? ofReader : variables), ...own },
        [...entry, process.execPath, builtEntry],
        follows ? ['--follow', addressOf('writer')] : [],
      )
    }
    const startProxy = async (): Promise<void> => {
      const file = join(folders.proxy, 'Caddyfile')
      const example = readFileSync(join(projectRoot, 'docs/examples/several-machines.Caddyfile'), 'utf8')
      const adapted = example
        .replace('skills.example.com', addressOf('proxy'))
        .replace(
          '10.0.0.3:4280 10.0.0.4:4280',
          `${machines['first reader'].address}:4280 ${machines['second reader'].address}:4280`,
        )
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${adapted}`)
      machines.proxy.start(
        requireProgram('caddy') ?? '',
        ['run', '--config', file, '--adapter', 'caddyfile'],
        {
          HOME: folders.proxy,
        },
      )
      await until('Caddy answers', async () =>
        fetch(addressOf('proxy')).then(
          () => true,
          () => false,
        ),
      )
    }
    const launch: Machine['start'] = (...command) => machines.store.start(...command)
    const storeAt = () => ({ address: `${machines.store.address}:9000`, launch, root: folders.store })
    const ofEachRole = <Value>(make: () => Value) =>
      Object.fromEntries(roles.map((role) => [role, make()])) as Record<Role, Value>
    beforeAll(async () => {
      network = createNetwork()
      machines = ofEachRole(network.addMachine)
      folders = ofEachRole(temporaryFolder)
      const { variables: ofStore } = await startObjectStore(storeAt())
      variables = {
        ...ofStore,
        SKILLDOCK_STORAGE: `s3://${bucketName}/machines`,
        SKILLDOCK_DURABILITY: 'replicated',
        SKILLDOCK_LITESTREAM: requireProgram('litestream') ?? '',
        SKILLDOCK_PUBLIC_URL: addressOf('proxy'),
        SKILLDOCK_TRUST_PROXY: network.range,
        SKILLDOCK_DAILY_SUBMISSIONS: '1000',
      }
      token = await tokenHere(folders.writer, '--subject', 'marta')
      admin = await tokenHere(folders.writer, '--subject', 'ilse', '--role', 'admin')
      module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
      digest = createHash('sha256').update(module).digest('hex')
      await startServer('writer')
      await Promise.all([startServer('first reader'), startServer('second reader')])
      await startProxy()
    })
    afterAll(async () => {
      network.remove()
      await cleanUp()
    })

    const releases: Release[] = []
    let count = 0
    /** A release that all readers have. */
    const addRelease = async (at: Role = 'writer'): Promise<Release> => {
      count += 1
      const name = `skill-${count}`
      const { body } = await publish(addressOf(at), token, manifest({ name }), module)
      await review(addressOf(at), admin, body.id, 'approved')
      const release = { name, id: body.id }
      for (const target of targets)
        await until(`the ${target} has it`, async () => (await ask(target, release)) === 'right')
      releases.push(release)
      return release
    }
    const ask = async (target: Role, { name, ...release }: Release): Promise<Answer> => {
      const { revokedAt } = release
      const sentAt = performance.now()
      try {
        const path = `/api/marketplace/skills/${name}/1.0.0/package`
        const response = await fetch(`${addressOf(target)}${path}`, { signal: AbortSignal.timeout(4000) })
        const bytes = Buffer.from(await response.arrayBuffer())
        if ([502, 503, 504].includes(response.status)) return 'unavailable'
        if (response.status === 404) return revokedAt === undefined ? 'wrong' : 'right'
        const isWhole = response.status === 200 && createHash('sha256').update(bytes).digest('hex') === digest
        return isWhole && (revokedAt === undefined || sentAt < revokedAt) ? 'right' : 'wrong'
      } catch {
        return 'unavailable'
      }
    }
    /** Sends the revocation until it is acknowledged or `mayTry` is false. */
    const revoke = async (release: Release, at: Role = 'writer', mayTry = () => true): Promise<boolean> => {
      release.sentAt = performance.now()
      while (mayTry()) {
        const signal = AbortSignal.timeout(8000)
        const answer = await Promise.race([
          review(addressOf(at), admin, release.id, 'revoked', 'It does harm.').catch(() => null),
          new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
        ])
        // 409: an earlier try has changed it, which this one confirms.
        if (answer?.status === 200 || answer?.status === 409) {
          release.revokedAt = performance.now()
          return true
        }
      }
      return false
    }

    /** Asks until `end`: every other time for `victim`, which is being revoked. */
    const startClients = (victim: Release) => {
      const answers = new Map<Role, Record<Answer, number>>(
        targets.map((target) => [target, { right: 0, unavailable: 0, wrong: 0 }]),
      )
      const wrong: string[] = []
      let isEnding = false
      const client = async (target: Role): Promise<void> => {
        for (let turn = 0; ; turn += 1) {
          if (isEnding) return
          const release = turn % 2 === 0 ? victim : releases[turn % releases.length]
          if (release === undefined) throw new Error('no release')
          // While it is being revoked, both answers are right.
          const wasBeingRevoked = release.sentAt !== undefined && release.revokedAt === undefined
          const answer = await ask(target, release)
          const isBeingRevoked = release.sentAt !== undefined && release.revokedAt === undefined
          const isOpen = wasBeingRevoked || isBeingRevoked
          const counts = answers.get(target)
          if (counts !== undefined) counts[isOpen && answer === 'wrong' ? 'right' : answer] += 1
          if (answer === 'wrong' && !isOpen) wrong.push(`${target}: ${JSON.stringify(release)}`)
          await delay(50)
        }
      }
      const clients = targets.flatMap((target) => [client(target), client(target)])
      return {
        answers,
        async end() {
          isEnding = true
          await Promise.all(clients)
          return wrong
        },
      }
    }
    const untilAllAnswer = async (release: Release, asked = targets): Promise<void> => {
      for (const target of asked)
        await until(`the ${target} answers`, async () => (await ask(target, release)) === 'right', 60_000)
    }

    const begin: Record<Fault, (machine: Machine) => void> = {
      kill: (machine) => machine.kill(),
      suspend: (machine) => machine.pause(),
      'cut off': (machine) => machine.disconnect(),
    }
    const recover: Record<Fault, (role: Role) => unknown> = {
      kill: (role) =>
        role === 'store' ? startObjectStore(storeAt()) : role === 'proxy' ? startProxy() : startServer(role),
      suspend: (role) => machines[role].resume(),
      'cut off': (role) => machines[role].connect(),
    }
    const faults: [Role, Fault][] = all
      ? roles.flatMap((role) =>
          role === 'standby'
            ? []
            : (['kill', 'suspend', 'cut off'] as const).map((fault): [Role, Fault] => [role, fault]),
        )
      : [
          ['first reader', 'suspend'],
          ['second reader', 'cut off'],
          ['store', 'cut off'],
          ['writer', 'kill'],
          ['proxy', 'kill'],
        ]

    test.each(faults)(
      'the %s: %s; nothing that was revoked is served, and all recover',
      async (role, fault) => {
        const [kept, victim] = [await addRelease(), await addRelease()]
        const clients = startClients(victim)
        begin[fault](machines[role])
        let isFaulty = true
        const revoked = revoke(victim, 'writer', () => isFaulty)
        await delay(faultMs)
        const during = structuredClone(clients.answers)
        isFaulty = false
        const since = performance.now()
        await recover[fault](role)
        await untilAllAnswer(kept)
        const readsAfter = performance.now() - since
        const wasAcknowledged = await revoked
        if (!wasAcknowledged) await revoke(victim)
        await addRelease()
        const writesAfter = performance.now() - since
        for (const target of targets)
          await until(`the ${target} refuses it`, async () => (await ask(target, victim)) === 'right')
        expect(await clients.end()).toEqual([])
        if (all)
          console.table(
            targets.map((target) => ({
              fault: `${role}: ${fault}`,
              wasAcknowledged,
              target,
              during: JSON.stringify(during.get(target)),
              readsAfter: Math.round(readsAfter),
              writesAfter: Math.round(writesAfter),
            })),
          )
      },
    )

    test('a standby is promoted while the writer is cut off; the readers follow it, and nothing that it revokes is served', async () => {
      const [kept, victim] = [await addRelease(), await addRelease()]
      const clients = startClients(victim)
      machines.writer.disconnect()
      const promoted = machines.standby.start(process.execPath, [builtEntry, 'promote'], {
        ...variables,
        SKILLDOCK_DATA: folders.standby,
      })
      expect(await promoted.ended).toMatchObject({ status: 0 })
      await startServer('standby')
      await revoke(victim, 'standby')
      await untilAllAnswer(kept)
      for (const target of targets)
        await until(`the ${target} refuses it`, async () => (await ask(target, victim)) === 'right')
      machines.writer.connect()
      await until(
        'the former writer refuses',
        async () => (await fetch(`${addressOf('writer')}/api/marketplace/skills`)).status === 503,
      )
      expect(await clients.end()).toEqual([])
    })
  },
)
