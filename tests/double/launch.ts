// Starts an app on the double: node tests/double/launch.ts FOLDER [arguments]
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const double = new URL('electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
})

const args = process.argv.slice(2).filter((word) => !word.startsWith('--inspect'))
const folder = resolve(args[0] ?? '.')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string }
const electronPackage = new URL('../../node_modules/electron/package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(electronPackage, 'utf8')) as { version: string }

process.argv = [process.execPath, folder, ...args.slice(1)]
Object.defineProperty(process.versions, 'electron', { value: version })
Object.defineProperty(process.versions, 'chrome', { value: 'double' })
// The folder that contains the archive of a packed app.
Object.assign(process, { type: 'browser', resourcesPath: dirname(folder) })

const electron = await import('./electron.ts')
const { listenToTests } = await import('./control.ts')
listenToTests(electron)
// Electron is not ready until this module has been evaluated, so an app that awaits it at the top level hangs.
await import(pathToFileURL(join(folder, manifest.main)).href)
process.channel?.ref()
electron.app.becomeReady()
