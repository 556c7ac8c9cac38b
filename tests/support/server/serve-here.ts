import { join } from 'node:path'
import { demoIn } from '../../../src/server/commands/demo/demo-in.ts'
import { readConfig } from '../../../src/server/settings/config.ts'
import { cleanEnvironment, projectRoot } from './command-line.ts'
import type { Variables } from './command-line.ts'
import { startTestServer } from './server.ts'
import type { TestServer } from './server.ts'

/** The built desk. */
const deskFolder = join(projectRoot, 'out/renderer')

/**
 * Starts the services that `serve` (command-line.ts) starts as a process in this one, where its code is already loaded: that takes
 * a sixth of the CPU time. For tests in which the process itself plays no part.
 */
export function serveHere(folder: string, variables: Variables = {}): Promise<TestServer> {
  const environment = {
    ...cleanEnvironment(),
    SKILLDOCK_DATA: folder,
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
    ...variables,
  }
  return startTestServer({
    folder,
    environment,
    config: readConfig(environment),
    checkReplies: false,
    deskFolder,
    fillDemo: demoIn(join(projectRoot, 'resources/skills')),
  })
}
