// Sets Electron's fuses in a packed app before it is signed, and warns if the app cannot process images.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'

/** Sets every existing fuse. A new one fails the packaging until it is listed here. */
const fuses = {
  // The app must not act as Node through environment variables or arguments.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // The app runs only its own archive, unmodified.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // No page is a file.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // The window's cookies stay in memory. If one ever reached the disk, it would be encrypted.
  [FuseV1Options.EnableCookieEncryption]: true,
  // There is no snapshot of our own.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // Electron's default: bounds checks by the processor, as in the benchmarks of the sandbox.
  [FuseV1Options.WasmTrapHandlers]: true,
}

/** By electron-builder's numbers for architectures. */
const processors = { 1: ['x64'], 3: ['arm64'], 4: ['x64', 'arm64'] }

/** npm installs sharp's native part only for the system that runs it (docs/decisions/008). */
function warnWithoutImageSupport({ electronPlatformName, arch, packager }) {
  const missing = (processors[arch] ?? [])
    .map((processor) => `@img/sharp-${electronPlatformName}-${processor}`)
    .filter((part) => !existsSync(join(packager.projectDir, 'node_modules', part)))
  if (missing.length === 0) return
  console.warn(
    `This app cannot process images: ${missing.join(' and ')} is missing. Package the app on the system it is for, or install the missing part first.`,
  )
}

const endings = { darwin: '.app', linux: '', win32: '.exe' }

/** Called by electron-builder for every packed app. */
export async function afterPack({ appOutDir, electronPlatformName, arch, packager }) {
  // The parts of a universal app are skipped. This is called again for the joined app.
  if (/-(?:x64|arm64)-temp$/.test(appOutDir)) return
  warnWithoutImageSupport({ electronPlatformName, arch, packager })
  const name = electronPlatformName === 'linux' ? packager.executableName : packager.appInfo.productFilename
  await flipFuses(join(appOutDir, `${name}${endings[electronPlatformName]}`), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // A modified program needs a new ad-hoc signature, which can only be made on macOS.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  })
}
