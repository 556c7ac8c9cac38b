import { publisherName } from '../../../shared/publisher-name.ts'
import { findDataFolder } from '../../settings/config.ts'
import { dataPaths, initializeDataFolder } from '../../data-folder/data-folder.ts'
import type { DataPaths } from '../../data-folder/data-folder.ts'
import { openDatabase } from '../../db/database.ts'
import { withOrigin } from '../../db/log/origin.ts'
import { claimEmptyFolder } from '../../data-folder/empty-folder.ts'
import { createImageMaker } from '../../images/image-maker.ts'
import { openFileStores } from '../../storage/open-stores.ts'
import { readSigningKey } from '../../storage/signing-key.ts'
import { createWasmValidator } from '../../wasm/wasm-validator.ts'
import type { Call, Facts } from '../command.ts'
import { texts } from '../commands.texts.ts'
import type { Demo } from '../commands.texts.ts'
import type { demoCommand } from '../declarations.ts'
import { demoAdministrator, demoPeople, demoReleases } from './demo-content.ts'
import { demoPosts } from './demo-posts.ts'
import { demoProjects } from './demo-projects.ts'
import { UsageError } from '../exit-codes.ts'
import { fillRegistry } from './fill-registry.ts'
import { interruptible } from '../interruptible.ts'
import type { Program } from '../program.ts'

/** `skilldock demo`: fills an empty data folder with a demo registry, or creates a demo agent project. */
export async function demo({ options, program, print }: Call<typeof demoCommand>): Promise<Facts> {
  if (options.agents !== undefined) {
    if (options.agents === '') throw new UsageError(texts.demo.noFolder)
    const { demoAgentProject } = await import('./demo-agents.ts')
    return demoAgentProject(options.agents, options.live === true, program, print)
  }
  if (options.live) throw new UsageError(texts.demo.liveWithoutAgents)
  const paths = dataPaths(findDataFolder())
  const folder = claimEmptyFolder(paths, 'skilldock demo')
  await interruptible(folder.abandon, async () => {
    await fill(paths, program)
    folder.release()
  })
  const data = describe(paths.folder)
  print(texts.demo.created(data))
  return { data }
}

async function fill(paths: DataPaths, program: Program): Promise<void> {
  initializeDataFolder(paths)
  const validator = createWasmValidator({
    startProcess: () => program.startHelper('modules'),
  })
  const imageMaker = createImageMaker({
    startProcess: () => program.startHelper('images'),
  })
  const { packages: files, pictures: imageFiles } = await openFileStores(paths, null)
  const database = openDatabase(paths.database)
  try {
    const registry = {
      database,
      validator,
      files,
      imageFiles,
      imageMaker,
      signingKey: readSigningKey(paths.signingKey),
      skillsFolder: program.skillsFolder,
      now: new Date(),
    }
    await withOrigin({ person: null, channel: 'cli', address: null }, () => fillRegistry(registry))
  } finally {
    await Promise.all([validator.stop(), imageMaker.stop()])
    database.close()
  }
}

function describe(folder: string): Demo {
  const skills = new Set(demoReleases.map(({ skill }) => skill)).size
  const statuses = Map.groupBy(demoReleases, ({ decisions }) => decisions.at(-1)?.action ?? 'pending')
  return {
    folder,
    releases: demoReleases.length,
    skills,
    statuses: Object.fromEntries([...statuses].map(([status, releases]) => [status, releases.length])),
    posts: demoPosts.length,
    projects: demoProjects.length,
    people: demoPeople.map((person) => ({ ...person, name: publisherName({ ...person, id: 0 }) })),
    administrator: demoAdministrator,
  }
}
