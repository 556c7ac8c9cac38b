import process from 'node:process'
import { messageOf } from '../../shared/errors.ts'
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

/** Returns the answer for the file at `path`; a thrown error is answered as `failed`. */
type Work = (path: string, input: unknown) => object | Promise<object>

/** Milliseconds between two reports that the process is alive. A blocked process sends none. */
const aliveMs = 1_000

const answer = async ({ id, path, input }: HelperJob, work: Work): Promise<object> => {
  try {
    const result = await work(path, input)
    return { id, ...result, rss: process.memoryUsage.rss() }
  } catch (error) {
    const failed = messageOf(error)
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

/** The main loop of a helper process: reports that it is ready, and then answers each job. */
export function answerJobs(work: Work): void {
  openChannels((channel) => serve(channel, work))
}
