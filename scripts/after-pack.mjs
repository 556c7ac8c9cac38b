// Sets Electron's fuses in a packed app, before it is signed.
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

const endings = { darwin: '.app', linux: '', win32: '.exe' }

/** For electron-builder, which calls it for every packed app. */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  // The halves of a universal app are joined first; it is called again for the whole.
  if (/-(?:x64|arm64)-temp$/.test(appOutDir)) return
  const name = electronPlatformName === 'linux' ? packager.executableName : packager.appInfo.productFilename
  await flipFuses(join(appOutDir, `${name}${endings[electronPlatformName]}`), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // A changed program needs a new signature, even where nobody signs it; only macOS can make one.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  })
}
