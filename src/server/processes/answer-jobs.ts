import process from 'node:process'
import { openChannels } from './helper-channel.ts'
import type { Channel } from './helper-channel.ts'
import type { HelperJob } from './helper-process.ts'

const isJob = (message: unknown): message is HelperJob =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'path' in message &&
  typeof message.path === 'string'

/** Gives what to say of the file at `path`; what it throws is said as `failed`. */
export type Work = (path: string, input: unknown) => object | Promise<object>

/** Milliseconds between two signs of life; a process that is blocked gives none. */
const aliveMs = 1_000

const answer = async ({ id, path, input }: HelperJob, work: Work): Promise<object> => {
  try {
    const result = await work(path, input)
    return { id, ...result, rss: process.memoryUsage.rss() }
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    return { id, ok: null, failed, rss: process.memoryUsage.rss() }
  }
}

const serve = (channel: Channel, work: Work): void => {
  const run = async (job: HelperJob): Promise<void> => {
    const alive = setInterval(() => void channel.send({ alive: job.id }), aliveMs)
    const answered = await answer(job, work)
    clearInterval(alive)
    await channel.send(answered)
  }
  channel.onMessage((message) => {
    if (isJob(message)) void run(message)
  })
  void channel.send({ ready: true })
}

/** The whole of a process that answers jobs: says that it is ready, and then one answer for each. */
export function answerJobs(work: Work): void {
  openChannels((channel) => serve(channel, work))
}
