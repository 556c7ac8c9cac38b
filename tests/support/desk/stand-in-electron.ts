import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

// Folders that electron-builder and @electron/fuses accept as a downloaded Electron, because the test machines do
// not have one.

export type Platform = 'linux' | 'mac' | 'win'

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** Fuse wire version 1 with the nine fuses of a downloaded Electron 45: 1 is on, 0 is off. */
const fuseWire = Buffer.from(`${sentinel}\x01\x09101100011`, 'latin1')

export async function makeStandInElectron(platform: Platform, folder: string): Promise<void> {
  const files = makers[platform]()
  await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content, { mode: 0o755 })
    }),
  )
}

const makers: Record<Platform, () => Record<string, string | Buffer>> = {
  linux: () => ({
    electron: Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), fuseWire]),
    'chrome-sandbox': '',
    'locales/en-US.pak': '',
    'resources/.keep': '',
  }),
  mac() {
    const contents = 'Electron.app/Contents'
    const frameworks = `${contents}/Frameworks`
    const files: Record<string, string | Buffer> = {
      [`${contents}/Info.plist`]: propertyList('Electron'),
      [`${contents}/MacOS/Electron`]: '',
      [`${contents}/Resources/electron.icns`]: '',
      [`${frameworks}/Electron Framework.framework/Electron Framework`]: fuseWire,
    }
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
      const name = `Electron Helper${kind}`
      files[`${frameworks}/${name}.app/Contents/Info.plist`] = propertyList(name)
      files[`${frameworks}/${name}.app/Contents/MacOS/${name}`] = ''
    }
    return files
  },
  win: () => ({ 'electron.exe': windowsProgram(), 'locales/en-US.pak': '', 'resources/.keep': '' }),
}

function propertyList(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleName</key><string>${name}</string></dict></plist>`
}

/** An empty program with the version resources that electron-builder edits. */
function windowsProgram(): Buffer {
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.lang = 1033
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  return Buffer.concat([Buffer.from(program.generate()), fuseWire])
}
