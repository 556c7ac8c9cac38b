// The entry of the process that checks uploaded modules. It is a process of its own because the engine
// cannot be interrupted while it validates: whoever started it kills it when a module takes too long.
import { answerJobs } from '../processes/answer-jobs.ts'
import { checkPackageFile } from './check-package-file.ts'

answerJobs(checkPackageFile)
