// The entry of the process that decodes uploaded pictures. It is a process of its own so that a picture that takes
// too long, or that breaks the decoder, ends nothing else.
import process from 'node:process'
import { answerJobs } from '../processes/answer-jobs.ts'
import { examineImage } from './examine-image.ts'
import type { ImageExamination } from './image-messages.ts'

/** Twice what the worst picture of the allowed size was seen to take, an AVIF of 40 megapixels. */
const memoryLimit = 1_600_000_000
const lookMs = 25

/** Answers without waiting for the decoder, which whoever asked then ends with this process. */
function withinMemory(work: Promise<ImageExamination>): Promise<ImageExamination> {
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() < memoryLimit) return
      clearInterval(timer)
      resolve({ ok: false, problem: 'The picture needs too much memory to be decoded. Send a simpler one.' })
    }, lookMs)
    work.finally(() => clearInterval(timer)).then(resolve, reject)
  })
}

answerJobs((path) => withinMemory(examineImage(path)))
