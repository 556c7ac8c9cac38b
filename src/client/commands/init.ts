import { join } from 'node:path'
import { skillNameSchema } from '../../shared/contracts/manifest.ts'
import { listWords } from '../../shared/findings/define-check.ts'
import { toIssues } from '../../shared/validation.ts'
import { usageError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { texts } from './commands.texts.ts'
import { fillNewFolder, refuseUnlessEmpty } from '../project/new-folder.ts'
import { languages, projectFiles, templates } from '../project/project-templates.ts'
import type { Language } from '../project/project-templates.ts'
import { canAsk, createQuestions } from '../terminal/questions.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Creates a new skill from a template that builds and passes its tests. */
export const initCommand: Command = {
  name: 'init',
  summary: 'Create a new skill: a program with a manifest, a build and tests',
  usage: ['[NAME] [--language assemblyscript|c|rust]'],
  about: `Creates the folder NAME with a small working skill. Build it, run its tests, then change it; its README.md
explains each step. On a terminal, missing arguments are prompted for. Existing files are never overwritten: the
folder must be new or empty.`,
  options: {
    language: {
      type: 'string',
      value: 'LANGUAGE',
      completes: languages,
      help: 'the language of the program',
    },
  },
  notes: `Languages
  assemblyscript   like TypeScript; needs npm
  c                needs clang, lld, wasi-libc and compiler-rt, or the WASI SDK
  rust             standard library only; needs cargo and a WASI target

  skill init slugify --language rust`,
  positionals: { min: 0, max: 1 },
  async run(context, [word], options) {
    const { name, language } = await choose(context, word, options.text('language'))
    const files = projectFiles(name, language)
    await fillNewFolder(join(context.folder, name), name, files)
    const { title, needs, steps } = templates[language]
    const next = [`cd ${name}`, ...steps, 'skill check']
    return {
      data: {
        name,
        language,
        folder: join(context.folder, name),
        files: files.map(({ path }) => path),
        next,
      },
      print(terminal) {
        terminal.line(texts.init.created(terminal.style('bold', name), name, title, needs))
        terminal.line()
        for (const step of next) terminal.line(`  ${step}`)
        terminal.line()
        terminal.line(texts.init.readme(name))
      },
    }
  },
}

/** Takes name and language from the command line and prompts for what is missing, if the terminal is interactive. */
async function choose(
  context: Context,
  word: string | undefined,
  option: string | undefined,
): Promise<{ name: string; language: Language }> {
  const name = word === undefined ? undefined : readName(word)
  const language = option === undefined ? undefined : readLanguage(option)
  // Check the folder before prompting for anything.
  if (name !== undefined) await refuseUnlessEmpty(join(context.folder, name), name)
  if (name !== undefined && language !== undefined) return { name, language }
  if (!canAsk(context)) {
    throw usageError(texts.init.missing(name === undefined ? 'name' : 'language', languageList))
  }
  const questions = createQuestions(context)
  try {
    return {
      name: name ?? (await questions.ask(texts.init.askName, readName)),
      language: language ?? (await questions.ask(texts.init.askLanguage(languageList), readLanguage)),
    }
  } finally {
    questions.end()
  }
}

function readName(text: string): string {
  const { success, error } = skillNameSchema.safeParse(text)
  if (success) return text
  const problems = listWords(toIssues(error).map(({ message }) => message))
  throw usageError(texts.init.invalidName(plainLine(text), problems))
}

/** Accepts any prefix of a language's name. */
function readLanguage(text: string): Language {
  const requested = text.toLowerCase()
  const found = languages.filter((language) => requested !== '' && language.startsWith(requested))
  if (found[0] !== undefined) return found[0]
  throw usageError(texts.init.unknownLanguage(plainLine(text), languageList))
}

const languageList = listWords(languages).replace(/ and (?=\w+$)/, ' or ')
