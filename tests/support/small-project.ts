import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, temporaryFolder } from './server/command-line.ts'

/** Copies the top-level files and folders of the project whose names match. */
export function copyProject(names: RegExp): string {
  const folder = temporaryFolder()
  for (const name of readdirSync(projectRoot)) {
    if (names.test(name)) cpSync(join(projectRoot, name), join(folder, name), { recursive: true })
  }
  return folder
}

const config = `import { recordPackages } from './scripts/bundled-packages.ts'
export default {
  main: {
    plugins: [recordPackages()],
    build: { externalizeDeps: false, rolldownOptions: { input: { cli: 'src/server/cli.ts' } } },
  },
}
`

/** The real scripts, bundler and packages with this program, which takes a second to build. */
export function smallProject(program: string): string {
  const folder = copyProject(/^(scripts|package.*\.json|tsconfig.*)$/)
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src/server'), { recursive: true })
  writeFileSync(join(folder, 'electron.vite.config.ts'), config)
  writeFileSync(join(folder, 'src/server/cli.ts'), program)
  return folder
}
