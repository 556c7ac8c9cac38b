import type {
  DeskState,
  FirstAdministrator,
  FirstRun,
  FolderState,
} from '../../../shared/contracts/desk-session.ts'
import type { DeskChange } from '../../../shared/contracts/desk-services.ts'
import type { PortState, SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Passkeys } from './passkeys.service.ts'
import type { ProviderSignIn } from './provider-sign-in.service.ts'
import type { PeopleService } from './people.service.ts'
import { sessionRepository } from './sessions.repository.ts'
import { createFailureLimit, hashOf, isBuiltIn, toDeskPerson } from './sessions.rules.ts'
import type { Sessions, SessionRequest } from './sessions.service.ts'
import { texts } from './identity.texts.ts'

interface SignInParts {
  database: Database
  sessions: Sessions
  people: PeopleService
  passkeys: Pick<Passkeys, 'isAvailable'>
  providers: Pick<ProviderSignIn, 'list'>
  version: string
  setup: Setup
  /** The counts that the next `change` event of a desk counts on from. */
  readChanges(): DeskChange
}

/** Setup that happens when the first administrator is created. */
export interface Setup {
  describe(): Omit<FirstRun, 'mayFillDemo'>
  check(changes: SettingChanges): ErrorIssue[]
  /** Throws VALIDATION_FAILED, PORT_TAKEN or STORAGE_UNAVAILABLE. */
  save(changes: SettingChanges): Promise<void>
  /** The state of the port that the registry would use with the changes. */
  findPortState(changes: SettingChanges): Promise<PortState>
  findFolderState(path: string): Promise<FolderState>
  /** Loads the demo data and returns its administrator's subject; null if there is no demo data. */
  fillDemo: (() => Promise<string>) | null
}

/** A new session of this person. */
export interface StartedSession {
  person: DeskPerson
  sessionKey: string
}

/**
 * Failed attempts per minute at the local listener. One limit for all clients, because they are all on this computer. The remote
 * desk limits each network (docs/decisions/022), so that nobody else can use up this one.
 */
const failuresPerMinute = 20

const invalidCode = (): DomainError => new DomainError('CODE_INVALID', texts.invalidCode)

/** Exchanges sign-in codes for desk sessions, each once and within five minutes. */
export function createSignIn(parts: SignInParts) {
  const { database, sessions, people, passkeys, providers, version, setup, readChanges } = parts
  const reading = sessionRepository(database.reader)
  const writing = sessionRepository(database.writer)
  const limit = createFailureLimit(failuresPerMinute, 60_000)

  /** Counts wrong codes. Throws TOO_MANY_REQUESTS if there were too many. */
  const limited = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const wait = limit.wait(performance.now())
    if (wait !== null) {
      throw new DomainError('TOO_MANY_REQUESTS', texts.tooManyCodes(wait), { retryAfter: wait })
    }
    try {
      return await work()
    } catch (error) {
      if (error instanceof DomainError && error.code === 'CODE_INVALID') limit.record(performance.now())
      throw error
    }
  }

  /** Inside a transaction. */
  const begin = (person: DeskPerson, request: SessionRequest, now: Date): StartedSession => ({
    person: toDeskPerson(person),
    sessionKey: sessions.start(person.id, request, now),
  })

  /** Runs `work` in a transaction that uses up the code. If `work` throws, the code stays valid. */
  const exchange = async <T>(code: string, work: (personId: number | null, now: Date) => T): Promise<T> => {
    const result = await database.transact(() => {
      const now = new Date()
      const hash = hashOf(code)
      const found = writing.findCode(hash, now)
      if (found === null) throw invalidCode()
      writing.useCode({ codeHash: hash, at: now.toISOString() })
      return { of: work(found.personId, now) }
    })
    return result.of
  }

  /** Throws CODE_INVALID unless the code could create the first administrator. */
  const assertFirstRun = (code: string): Promise<void> =>
    limited(() => {
      database.assertAvailable()
      const found = reading.findCode(hashOf(code), new Date())
      if (found?.personId !== null || reading.listAdministrators().length > 0) throw invalidCode()
    })

  /** Throws NOT_FOUND or PERSON_EXISTS if the demo data can't be loaded. */
  const getDemo = (): (() => Promise<string>) => {
    if (setup.fillDemo === null) throw new DomainError('NOT_FOUND', texts.noDemo)
    if (reading.hasPeople()) throw new DomainError('PERSON_EXISTS', texts.demoOverPeople)
    return setup.fillDemo
  }
  let filling: Promise<string> | null = null

  return {
    /** Before sign-in, the remote desk tells nothing about this installation. */
    getState(request: SessionRequest): DeskState {
      database.assertAvailable()
      const person = sessions.find(request)?.person
      const isFirstRun = !request.remote && reading.listAdministrators().length === 0
      return {
        person: person === undefined ? null : toDeskPerson(person),
        version: request.remote && person === undefined ? null : version,
        passkeys: request.remote && passkeys.isAvailable() && (person === undefined || isBuiltIn(person)),
        providers: request.remote ? providers.list() : [],
        firstRun: isFirstRun
          ? { ...setup.describe(), mayFillDemo: setup.fillDemo !== null && !reading.hasPeople() }
          : null,
        changes: person === undefined ? null : readChanges(),
      }
    },

    /** Throws CODE_INVALID or TOO_MANY_REQUESTS. */
    signIn(code: string, request: SessionRequest): Promise<StartedSession> {
      const start = (): Promise<StartedSession> =>
        exchange(code, (personId, now) => {
          const person = personId === null ? null : writing.findSigner(personId)
          if (person === null) throw invalidCode()
          return begin(person, request, now)
        })
      return request.remote ? start() : limited(start)
    },

    /** Starts a session of a person whom a provider has identified. Throws TOKEN_REVOKED if they were removed. */
    startFor({ id }: Pick<Person, 'id'>, request: SessionRequest): Promise<StartedSession> {
      return database.transact(() => {
        const person = writing.findSigner(id)
        if (person === null) throw new DomainError('TOKEN_REVOKED', texts.removedAccount)
        return begin(person, request, new Date())
      })
    },

    /** Validates the first-run settings. Throws CODE_INVALID or TOO_MANY_REQUESTS. */
    async checkFirstRun(
      code: string,
      changes: SettingChanges,
    ): Promise<{ issues: ErrorIssue[]; port: PortState }> {
      await assertFirstRun(code)
      return { issues: setup.check(changes), port: await setup.findPortState(changes) }
    },

    /** Whether a folder can be the data folder. Throws CODE_INVALID or TOO_MANY_REQUESTS. */
    async checkDataFolder(code: string, path: string): Promise<FolderState> {
      await assertFirstRun(code)
      return setup.findFolderState(path)
    },

    /**
     * Loads the demo data and signs in as its administrator. Throws CODE_INVALID, TOO_MANY_REQUESTS, NOT_FOUND or
     * PERSON_EXISTS.
     */
    async fillWithDemo(code: string, request: SessionRequest): Promise<StartedSession> {
      if (filling === null) await assertFirstRun(code)
      // A second request waits for the same run; the code then works only once.
      filling ??= getDemo()().finally(() => (filling = null))
      const subject = await filling
      return limited(() =>
        exchange(code, (personId, now) => {
          const person = writing.listSigners(subject)[0]
          if (personId !== null || person === undefined) throw invalidCode()
          return begin(person, request, now)
        }),
      )
    },

    /**
     * Saves and applies the settings and creates the administrator. Throws CODE_INVALID (also if there is an
     * administrator by now), TOO_MANY_REQUESTS, PERSON_EXISTS, or what `Setup.save` throws.
     */
    async createFirstAdministrator(
      { code, subject, name, settings }: FirstAdministrator,
      request: SessionRequest,
    ): Promise<StartedSession> {
      if (settings !== undefined && Object.keys(settings).length > 0) {
        await assertFirstRun(code)
        await saveSetup(setup, settings)
      }
      return limited(() =>
        exchange(code, (personId, now) => {
          if (personId !== null || writing.listAdministrators().length > 0) throw invalidCode()
          return begin(people.addPersonInside({ subject, name, role: 'administrator' }), request, now)
        }),
      )
    },
  }
}

/** In this request the settings are nested, so the paths of their issues begin with `settings.`. */
async function saveSetup(setup: Setup, changes: SettingChanges): Promise<void> {
  try {
    await setup.save(changes)
  } catch (error) {
    if (!(error instanceof DomainError) || error.issues === undefined) throw error
    throw new DomainError(error.code, error.message, {
      issues: error.issues.map(({ path, message }) => ({ path: `settings.${path}`, message })),
    })
  }
}

export type SignIn = ReturnType<typeof createSignIn>
