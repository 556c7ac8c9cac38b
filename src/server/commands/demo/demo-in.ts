import type { ServerOptions } from '../../start-server.ts'

/** The demo for services that run already; its texts and the examples in the folder are read when it is asked for. */
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
