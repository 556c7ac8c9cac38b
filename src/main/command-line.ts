import { join } from 'node:path'
import { app } from 'electron'
import { createHelperProcesses, helperEntries } from './helper-processes.ts'

/**
 * The arguments after `--cli --`, or null if the app is to open its window. The two dashes keep Chromium from reading them as
 * its own options. An opened link also comes after `--`, but never directly after `--cli`.
 */
export function readCommandLine(args: readonly string[]): string[] | null {
  const end = args.indexOf('--')
  return end > 0 && args[end - 1] === '--cli' ? args.slice(end + 1) : null
}

/**
 * Runs the server's command line instead of the app, once Electron is ready, and exits with its exit code. It opens no window,
 * and runs beside an app that is already open.
 * @param folder the folder of the bundles
 */
export async function runCommandLine(args: string[], folder: string): Promise<void> {
  // Electron would quit at these signals. The command decides instead, as it does without Electron.
  app.on('before-quit', (event) => {
    event.preventDefault()
    process.emit('SIGTERM', 'SIGTERM')
  })
  const { runInApp } = await import('../server/app-command.ts')
  await app.whenReady()
  const processes = createHelperProcesses(helperEntries(folder))
  const program = {
    appFolder: app.getAppPath(),
    markdownEntry: join(folder, 'markdown.js'),
    skillsFolder: join(folder, '../../resources/skills'),
    deskFolder: join(folder, '../renderer'),
    clientFolder: join(folder, '../client'),
  }
  const status = await runInApp(args, program, processes)
  processes.endAll()
  // Output to a pipe may still be waiting.
  process.stdout.write('', () => process.stderr.write('', () => app.exit(status)))
}
