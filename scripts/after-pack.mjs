// Sets Electron's fuses in a packed app, before it is signed, and says where the app has no part for pictures.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'

/** One decision for every fuse that there is: a new one fails the packing until it is decided here. */
const fuses = {
  // The program is no Node for whoever can set its environment or its words.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // It runs its own archive, as it was packed, and nothing beside it.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // No page is a file.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // The window's cookies stay in memory; should one ever reach the disk, it is encrypted there.
  [FuseV1Options.EnableCookieEncryption]: true,
  // There is no snapshot of our own.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // As Electron has it: checks of bounds by the processor, which modules in the sandbox are measured with.
  [FuseV1Options.WasmTrapHandlers]: true,
}

/** As electron-builder numbers kinds of processors. */
const processors = { 1: ['x64'], 3: ['arm64'], 4: ['x64', 'arm64'] }

/** npm has sharp's native part for the system that packs alone (docs/decisions/008). */
function warnWithoutPictures({ electronPlatformName, arch, packager }) {
  const missing = (processors[arch] ?? [])
    .map((processor) => `@img/sharp-${electronPlatformName}-${processor}`)
    .filter((part) => !existsSync(join(packager.projectDir, 'node_modules', part)))
  if (missing.length === 0) return
  console.warn(
    `This app takes no pictures: ${missing.join(' and ')} is missing. Pack on that system, or install it first.`,
  )
}

const endings = { darwin: '.app', linux: '', win32: '.exe' }

/** For electron-builder, which calls it for every packed app. */
export async function afterPack({ appOutDir, electronPlatformName, arch, packager }) {
  // The halves of a universal app are joined first; it is called again for the whole.
  if (/-(?:x64|arm64)-temp$/.test(appOutDir)) return
  warnWithoutPictures({ electronPlatformName, arch, packager })
  const name = electronPlatformName === 'linux' ? packager.executableName : packager.appInfo.productFilename
  await flipFuses(join(appOutDir, `${name}${endings[electronPlatformName]}`), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // A changed program needs a new signature, even where nobody signs it; only macOS can make one.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  })
}
