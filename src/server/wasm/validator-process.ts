// The entry of the process that checks submitted releases: the module, and every text of the manifest. It is a process of its own because the engine
// cannot be interrupted while it validates: whoever started it kills it when a module takes too long.
import { answerJobs } from '../processes/answer-jobs.ts'
import { checkRelease } from './check-package-file.ts'
import type { ReleaseFacts } from './validator-messages.ts'

// The server is the only one that asks.
answerJobs((path, input) => checkRelease(path, (input ?? null) as ReleaseFacts | null))
