import type { ServerOptions } from '../../start-server.ts'

/** Returns a function that fills a running server with the demo. Its content is loaded only when it is called. */
export function demoIn(skillsFolder: string): NonNullable<ServerOptions['fillDemo']> {
  return async (parts) => {
    const [{ fillRegistry }, { demoAdministrator }] = await Promise.all([
      import('./fill-registry.ts'),
      import('./demo-content.ts'),
    ])
    await fillRegistry({ ...parts, skillsFolder, now: new Date() })
    return demoAdministrator
  }
}
