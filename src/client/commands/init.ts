import { join } from 'node:path'
import { skillNameSchema } from '../../shared/contracts/releases.ts'
import { listWords } from '../../shared/findings/check.ts'
import { toIssues } from '../../shared/validation.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { fillNewFolder, refuseUnlessEmpty } from '../project/new-folder.ts'
import { languages, projectFiles, templates } from '../project/project-templates.ts'
import type { Language } from '../project/project-templates.ts'
import { canAsk, createQuestions } from '../terminal/questions.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Makes a new skill that builds, passes its tests and is ready to be changed. */
export const initCommand: Command = {
  name: 'init',
  summary: 'Make a new skill: a program with its manifest, its build and its tests',
  usage: '[NAME] [--language assemblyscript|c|rust]',
  help: `Makes the folder NAME with a small skill that works. Build it, run its tests, make it yours; README.md in the
folder tells each step. What is missing is asked for on a terminal. Nothing is ever overwritten: a folder that has
something in it is left alone.

  --language LANGUAGE  assemblyscript   like TypeScript; needs npm
                       c                needs clang, lld and wasi-libc, or the WASI SDK
                       rust             the standard library alone; needs cargo and a target for WASI

  skill init slugify --language rust`,
  options: { language: { type: 'string' } },
  words: { min: 0, max: 1 },
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
        terminal.line(
          `The new skill ${terminal.style('bold', name)} is in the folder ${name}. ${title} needs ${needs}.`,
        )
        terminal.line()
        for (const step of next) terminal.line(`  ${step}`)
        terminal.line()
        terminal.line(`${name}/README.md tells the rest, to its publication.`)
      },
    }
  },
}

/** Both from the command line as far as they stand there; the rest is asked for where somebody can answer. */
async function choose(
  context: Context,
  word: string | undefined,
  option: string | undefined,
): Promise<{ name: string; language: Language }> {
  const name = word === undefined ? undefined : readName(word)
  const language = option === undefined ? undefined : readLanguage(option)
  // Before anything is asked in vain.
  if (name !== undefined) await refuseUnlessEmpty(join(context.folder, name), name)
  if (name !== undefined && language !== undefined) return { name, language }
  if (!canAsk(context)) throw missing(name === undefined ? 'name' : 'language')
  const questions = createQuestions(context)
  try {
    return {
      name: name ?? (await questions.ask('Name of the skill:', readName)),
      language: language ?? (await questions.ask(`Language (${listOf('or')}):`, readLanguage)),
    }
  } finally {
    questions.end()
  }
}

function readName(text: string): string {
  const { success, error } = skillNameSchema.safeParse(text)
  if (success) return text
  throw usage(
    `"${plainLine(text)}" cannot be the name of a skill: it ${listWords(toIssues(error).map(({ message }) => message))}.`,
    'Such as: slugify, csv-to-json, sha256.',
  )
}

/** The beginning of its name will do. */
function readLanguage(text: string): Language {
  const wanted = text.toLowerCase()
  const found = languages.filter((language) => wanted !== '' && language.startsWith(wanted))
  if (found[0] !== undefined) return found[0]
  throw usage(`There is no template in "${plainLine(text)}".`, `The languages are ${listOf('and')}.`)
}

const listOf = (word: 'and' | 'or'): string => listWords(languages).replace(/ and (?=\w+$)/, ` ${word} `)

const missing = (what: 'name' | 'language'): ClientError =>
  usage(
    `The ${what} of the skill is missing.`,
    'Write it as: skill init NAME --language LANGUAGE, with assemblyscript, c or rust.',
  )

const usage = (sentence: string, next: string): ClientError =>
  new ClientError(exitCodes.usage, sentence, { code: 'USAGE', next })
