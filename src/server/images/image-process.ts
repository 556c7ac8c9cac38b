// The entry of the process that decodes uploaded pictures. It is a process of its own so that a picture that takes
// too long, or that breaks the decoder, ends nothing else.
import process from 'node:process'
import { answerJobs } from '../processes/answer-jobs.ts'
import { examineImage } from './examine-image.ts'
import type { ImageExamination } from './image-messages.ts'

/** Bytes; the worst picture of the allowed size was seen to take 900 MB, an AVIF of 40 megapixels. */
const memoryLimit = 1_600_000_000
/** Seconds of computing, which a busy machine does not make longer; the slowest picture was seen to take 10. */
const timeLimit = 30
const lookMs = 25

const refuse = (problem: string): ImageExamination => ({ ok: false, problem, isStuck: true })

const computed = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** Answers without waiting for the decoder, which whoever asked then ends with this process. */
function withinLimits(path: string): Promise<ImageExamination> {
  const before = computed()
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() > memoryLimit) {
        resolve(refuse('The picture needs too much memory to be decoded. Send a simpler one.'))
      } else if (computed() - before > timeLimit) {
        resolve(refuse('The picture takes too long to be decoded. Send a smaller or simpler one.'))
      }
    }, lookMs)
    examineImage(path)
      .finally(() => clearInterval(timer))
      .then(resolve, reject)
  })
}

answerJobs(withinLimits)
