// Entry point of the helper process that checks submitted releases, module and manifest. It is a separate process
// because the engine's validation cannot be interrupted: the server kills the process if a module takes too long.
import { answerJobs } from '../processes/answer-jobs.ts'
import { checkRelease } from './check-package-file.ts'
import type { ReleaseFacts } from './validator-messages.ts'

// Only the server sends jobs, so their input is trusted.
answerJobs((path, input) => checkRelease(path, (input ?? null) as ReleaseFacts | null))
