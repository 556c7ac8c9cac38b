import { messageTextSchema, threadRoutes } from '../../shared/contracts/thread.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import { usageError } from '../client-error.ts'
import type { Command } from '../command.ts'
import { texts } from './commands.texts.ts'
import { getOwnRelease } from '../registry/own-releases.ts'
import { nameOf, readReleaseName } from '../registry/registry.ts'

/** Answers the reviewers of a pending release of the user's names. */
export const replyCommand: Command = {
  name: 'reply',
  summary: 'Answer a question of the reviewers about your release',
  usage: ['NAME[@VERSION] TEXT'],
  about: `Without a version, answers about the latest submission of NAME. Only the
owners of the name and the reviewers can read the conversation.`,
  options: {},
  notes: `  skill status csv-to-json
  skill reply csv-to-json "It reads the clock to name the output."
  skill reply csv-to-json@1.0.0 "$(cat answer.txt)" --json`,
  positionals: { min: 2, max: 2 },
  async run(context, [word = '', text = '']) {
    const requested = readReleaseName(word)
    const parsed = messageTextSchema.safeParse(text)
    if (!parsed.success) throw usageError(texts.reply.invalid(summarize(toIssues(parsed.error))))
    const registry = context.registry()
    const release = await getOwnRelease(registry, requested)
    const { name, version } = release
    const message = await registry.call(threadRoutes.answerReview, {
      params: { name, version },
      body: { text: parsed.data },
    })
    return {
      data: { release: { name, version }, message },
      print(terminal) {
        terminal.line(texts.reply.sent(nameOf(release)))
        terminal.note(texts.reply.status(nameOf(release)))
      },
    }
  },
}
