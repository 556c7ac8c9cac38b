import { readdir } from 'node:fs/promises'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { samplePrefix } from '../../../src/server/storage/write-sample.ts'
import type { RegistryVersion } from '../../../src/shared/contracts/releases.ts'
import type { SkillManifest } from '../../../src/shared/contracts/manifest.ts'
import { assembleWat } from '../fixtures/assemble-wat.ts'
import { call, manifest, publish, review } from './publish.ts'
import { startTestServer } from './server.ts'
import type { TestServer, TestServerOptions } from './server.ts'

export type List = { items: RegistryVersion[] }

/** The real server with a developer (alice) and an administrator (rita), and common actions. */
export interface TestRegistry extends TestServer {
  /** `…/api/marketplace` */
  api: string
  developer: string
  administrator: string
  /** The smallest command module. */
  wasm: Uint8Array<ArrayBuffer>
  /** Submits a release, expects 201 and returns its id. */
  submit(change?: Partial<SkillManifest>, token?: string, wasm?: Uint8Array): Promise<number>
  /** Decides a release and expects 200. */
  decide(id: number, ...actions: string[]): Promise<void>
  /** Submits a release and makes these decisions in order. */
  release(change: Partial<SkillManifest>, ...actions: string[]): Promise<number>
  /** The names of all packages and unfinished uploads in the packages folder, without the health check's files. */
  packageFiles(): Promise<string[]>
}

export async function startTestRegistry(options: TestServerOptions = {}): Promise<TestRegistry> {
  const app = await startTestServer({
    ...options,
    // Tests submit more releases at once than one person may by default.
    config: { dailySubmissions: 10_000, publishConcurrency: 64, ...options.config },
  })
  // Together, because opening the database takes most of the time.
  const [developer, administrator] = await withPeople(
    async (people) => [
      (await people.issueToken({ subject: 'alice', name: 'Alice' })).token,
      (await people.issueToken({ subject: 'rita', role: 'administrator' })).token,
    ],
    app.folder,
  )
  const module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')

  const submit: TestRegistry['submit'] = async (change = {}, token = developer, wasm = module) => {
    const reply = await publish(app.registry, token, manifest(change), wasm)
    if (reply.status !== 201) throw new Error(`publish: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.id
  }
  const decide: TestRegistry['decide'] = async (id, ...actions) => {
    for (const action of actions) {
      const reply = await review(
        app.registry,
        administrator,
        id,
        action,
        `It was ${action} with good reason.`,
      )
      if (reply.status !== 200) throw new Error(`review: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
  }
  return {
    ...app,
    api: `${app.registry}/api/marketplace`,
    developer,
    administrator,
    wasm: module,
    submit,
    decide,
    async release(change, ...actions) {
      const id = await submit(change)
      await decide(id, ...actions)
      return id
    },
    async packageFiles() {
      const names = await readdir(dataPaths(app.folder).packages)
      return names.filter((name) => !name.startsWith(samplePrefix))
    },
  }
}

/** The status and code of an error response. */
export async function refusal(
  url: string,
  options: { token?: string; method?: string; body?: unknown } = {},
): Promise<{ status: number; code: string | undefined; paths: string[] }> {
  const { status, body } = await call<{ code?: string; issues?: { path: string }[] }>(url, options)
  return { status, code: body.code, paths: (body.issues ?? []).map(({ path }) => path) }
}
