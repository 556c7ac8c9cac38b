import asconfig from '../templates/assemblyscript/asconfig.json?raw'
import asIndex from '../templates/assemblyscript/assembly/index.as?raw'
import asTsconfig from '../templates/assemblyscript/assembly/tsconfig.json?raw'
import asWasi from '../templates/assemblyscript/assembly/wasi.as?raw'
import asGitignore from '../templates/assemblyscript/gitignore.txt?raw'
import asReadme from '../templates/assemblyscript/language.md?raw'
import asPackage from '../templates/assemblyscript/package.json?raw'
import cBuild from '../templates/c/build.mjs?raw'
import cGitignore from '../templates/c/gitignore.txt?raw'
import cReadme from '../templates/c/language.md?raw'
import cMain from '../templates/c/src/main.c?raw'
import manifest from '../templates/common/manifest.json?raw'
import readme from '../templates/common/README.md?raw'
import runSkill from '../templates/common/tests/run-skill.mjs?raw'
import skillTest from '../templates/common/tests/skill.test.mjs?raw'
import rustBuild from '../templates/rust/build.mjs?raw'
import rustCargo from '../templates/rust/Cargo.toml?raw'
import rustConfig from '../templates/rust/cargo/config.toml?raw'
import rustGitignore from '../templates/rust/gitignore.txt?raw'
import rustReadme from '../templates/rust/language.md?raw'
import rustMain from '../templates/rust/src/main.rs?raw'

export const languages = ['assemblyscript', 'c', 'rust'] as const
export type Language = (typeof languages)[number]

/** A file of a project. The path uses forward slashes. */
export interface ProjectFile {
  path: string
  text: string
}

interface Template {
  title: string
  /** What must be installed besides Node. */
  needs: string
  /** Commands that build and test the skill, in order. */
  steps: readonly string[]
  /** The README's section about the language. */
  readme: string
  files: readonly (readonly [path: string, text: string])[]
}

/** Each template is a working project with this name, which is replaced by the name of the new skill. */
const templateName = 'lines-to-json'

export const templates: Record<Language, Template> = {
  assemblyscript: {
    title: 'AssemblyScript',
    needs: 'npm',
    steps: ['npm install', 'npm run build', 'node --test'],
    readme: asReadme,
    files: [
      ['.gitignore', asGitignore],
      ['asconfig.json', asconfig],
      // Stored as `.as` because TypeScript's own tools cannot read it.
      ['assembly/index.ts', asIndex],
      ['assembly/tsconfig.json', asTsconfig],
      ['assembly/wasi.ts', asWasi],
      ['package.json', asPackage],
    ],
  },
  c: {
    title: 'C',
    needs: 'clang, lld, wasi-libc and compiler-rt, or the WASI SDK',
    steps: ['node build.mjs', 'node --test'],
    readme: cReadme,
    files: [
      ['.gitignore', cGitignore],
      ['build.mjs', cBuild],
      ['src/main.c', cMain],
    ],
  },
  rust: {
    title: 'Rust',
    needs: 'cargo and a WASI target',
    steps: ['cargo test', 'node build.mjs', 'node --test'],
    readme: rustReadme,
    files: [
      ['.cargo/config.toml', rustConfig],
      ['.gitignore', rustGitignore],
      ['build.mjs', rustBuild],
      ['Cargo.toml', rustCargo],
      ['src/main.rs', rustMain],
    ],
  },
}

/** All files of a new project, sorted by path. */
export function projectFiles(name: string, language: Language): ProjectFile[] {
  const template = templates[language]
  const files = [
    ...template.files,
    ['README.md', readme.replace('<!-- language -->\n', template.readme)],
    ['manifest.json', manifest],
    ['tests/run-skill.mjs', runSkill],
    ['tests/skill.test.mjs', skillTest],
  ] as const
  return files
    .map(([path, text]) => ({ path, text: text.replaceAll(templateName, name) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
