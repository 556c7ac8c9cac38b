// Entry point of the helper process that decodes uploaded images, so that an image that takes too long or crashes the
// decoder affects nothing else.
import process from 'node:process'
import { answerJobs } from '../processes/answer-jobs.ts'
import { examineImage } from './examine-image.ts'
import type { ImageExamination } from './image-messages.ts'
import { texts } from './images.texts.ts'

/** Bytes; the worst known image of the allowed size takes 900 MB (an AVIF of 40 megapixels). */
const memoryLimit = 1_600_000_000
/** Seconds of CPU time, which doesn't depend on the load of the machine; the slowest known image takes 10. */
const timeLimit = 30
const checkMs = 25

const refuse = (problem: string): ImageExamination => ({ ok: false, problem, isStuck: true })

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** Answers at a limit without waiting for the decoder; the caller then kills this process. */
function withinLimits(path: string): Promise<ImageExamination> {
  const before = cpuSeconds()
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() > memoryLimit) {
        resolve(refuse(texts.tooMuchMemory))
      } else if (cpuSeconds() - before > timeLimit) {
        resolve(refuse(texts.tooSlow))
      }
    }, checkMs)
    examineImage(path)
      .finally(() => clearInterval(timer))
      .then(resolve, reject)
  })
}

answerJobs(withinLimits)
